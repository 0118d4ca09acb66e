// What a program may write, and what the compiler refuses: `npm run typecheck` fails when one of these changes.
import * as pulumi from "@pulumi/pulumi";
import * as trustplane from "trustplane";

const secret = pulumi.secret("s");
const unset: string | undefined = undefined;
const mount = new trustplane.sys.AuthMount("jobs", { path: "jobs", type: pulumi.output("jwt") });

export const accepted = [
  new trustplane.jwt.Role(
    "every-level-takes-outputs",
    {
      mount: mount.path,
      name: pulumi.interpolate`ci-${mount.accessor}`,
      userClaim: Promise.resolve("sub"),
      roleType: pulumi.output("jwt" as const),
      boundAudiences: ["a", pulumi.output("b")],
      allowedRedirectUris: pulumi.output(["https://app.example.com"]),
      boundClaims: { ref: "main", project: [1, pulumi.output(true)], team: pulumi.output(["a"]) },
      claimMappings: pulumi.output({ sub: "user" }),
      tokenTtl: pulumi.output(900),
      tokenMaxTtl: "1h",
    },
    { dependsOn: mount, protect: true },
  ),
  new trustplane.jwt.Config("nothing-is-required"),
  new trustplane.jwt.Config("unset-is-unset", {
    boundIssuer: unset,
    oidcClientSecret: secret,
    jwksPairs: [{ jwksUrl: mount.path }, pulumi.output({ jwksUrl: "https://keys.example.com" })],
    providerConfig: { provider: "okta", api_token: secret },
  }),
  new trustplane.cloud.Role("a-document-as-text-or-object", {
    name: "a",
    credentialType: "iam_user",
    policyDocument: { Version: "2012-10-17", Statement: [{ Resource: mount.path }] },
  }),
  new trustplane.cloud.Role("b", { name: "b", credentialType: "iam_user", policyDocument: pulumi.jsonStringify({}) }),
  new trustplane.cluster.Peering("an-output-of-one-is-the-input-of-another", {
    peerName: "a",
    peeringToken: new trustplane.cluster.PeeringToken("b", { peerName: "b" }).peeringToken,
  }),
  trustplane.jwt.Role.get("found", "auth/jwt/role/ci"),
  trustplane.jwt.Role.get("elsewhere", mount.id, { connection: "east" }, { dependsOn: mount }),
  trustplane.jwt.getRoleOutput({ mount: mount.path, name: "found" }, { dependsOn: mount }),
  trustplane.cluster.getPeeringsOutput(),
];

export const called = [
  trustplane.jwt.getRole({ name: "found", mount: unset }),
  trustplane.cloud.getCredentials({ name: "deploy", endpoint: "sts", ttl: "15m" }, { parent: mount }),
];

export const refused = [
  // @ts-expect-error: a property that does not exist, near one that does
  new trustplane.jwt.Role("a", { name: "a", userClaim: "sub", boundAudience: ["x"] }),
  // @ts-expect-error: the API's own spelling
  new trustplane.jwt.Role("b", { name: "b", user_claim: "sub" }),
  // @ts-expect-error: a word that is none of the allowed ones
  new trustplane.jwt.Role("c", { name: "c", userClaim: "sub", roleType: "saml" }),
  // @ts-expect-error: an Output of any text is not one of the allowed words
  new trustplane.jwt.Role("d", { name: "d", userClaim: "sub", roleType: mount.path }),
  // @ts-expect-error: a required property is missing
  new trustplane.jwt.Role("e", { name: "e" }),
  // @ts-expect-error: no arguments where some are required
  new trustplane.jwt.Role("f"),
  // @ts-expect-error: a required property may not be unset
  new trustplane.jwt.Role("g", { name: unset, userClaim: "sub" }),
  // @ts-expect-error: one value where a list is expected
  new trustplane.jwt.Role("h", { name: "h", userClaim: "sub", boundAudiences: "x" }),
  // @ts-expect-error: a claim is bound to texts, numbers and booleans
  new trustplane.jwt.Role("i", { name: "i", userClaim: "sub", boundClaims: { ref: { is: "main" } } }),
  // @ts-expect-error: a member that the record does not have
  new trustplane.jwt.Config("j", { jwksPairs: [{ url: "https://keys.example.com" }] }),
  // @ts-expect-error: what only the server knows
  new trustplane.policy.Parameter("k", { policySetId: "polset-demo000000000001", key: "k", parameterId: "var-1" }),
  // @ts-expect-error: an option that Pulumi does not have
  new trustplane.jwt.Config("l", {}, { dependOn: mount }),
  // @ts-expect-error: an Output is known later than a call is made
  trustplane.jwt.getRole({ name: mount.path }),
  // @ts-expect-error: a required argument is missing
  trustplane.policy.getParametersOutput({}),
  // @ts-expect-error: a look-up needs an id
  trustplane.jwt.Role.get("m"),
];

/** Compiles only when both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;

const { jwt, cloud, cluster, policy, sys } = trustplane;
type Of<
  Class extends abstract new (
    ...args: never
  ) => unknown,
  Key extends keyof InstanceType<Class>,
> = InstanceType<Class>[Key];

const found = trustplane.jwt.getRoleOutput({ name: "found" });
const { clientToken } = trustplane.jwt.loginOutput({ jwt: secret });

export const outputs: readonly true[] = [
  true satisfies Same<typeof found, pulumi.Output<trustplane.jwt.GetRoleResult>>,
  true satisfies Same<typeof clientToken, pulumi.Output<string>>,
  true satisfies Same<Of<typeof jwt.Role, "name">, pulumi.Output<string>>,
  true satisfies Same<Of<typeof jwt.Role, "mount">, pulumi.Output<string>>,
  true satisfies Same<Of<typeof jwt.Role, "boundAudiences">, pulumi.Output<string[] | undefined>>,
  true satisfies Same<Of<typeof jwt.Role, "roleType">, pulumi.Output<"jwt" | "oidc" | undefined>>,
  true satisfies Same<Of<typeof jwt.Config, "jwksPairs">, pulumi.Output<trustplane.jwt.JwksPair[] | undefined>>,
  true satisfies Same<Of<typeof cloud.RootRotation, "accessKey">, pulumi.Output<string>>,
  true satisfies Same<Of<typeof cluster.Peering, "terminated">, pulumi.Output<boolean | undefined>>,
  true satisfies Same<Of<typeof policy.Parameter, "parameterId">, pulumi.Output<string>>,
  true satisfies Same<Of<typeof sys.AuthMount, "accessor">, pulumi.Output<string>>,
];

// @ts-expect-error: what is recorded is not for the program to change
mount.path = pulumi.output("other");
// @ts-expect-error: a property of another class
export const wrongOutput = mount.roleType;

export function narrowed(value: unknown): pulumi.Output<string> | undefined {
  return trustplane.jwt.Role.isInstance(value) ? value.userClaim : undefined;
}
