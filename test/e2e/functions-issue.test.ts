import { generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** How long the cloud does not know a new key: longer than a program takes from its credentials to their first use. */
const keyDelaySeconds = 2;

const rootKey = { accessKeyId: "AKIAROOT", secretKey: randomUUID() };
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

describe.each(libraries)("a program that has things issued, with %s", needsPulumi(), (library) => {
  let story: Story;
  const issuings = () => story.requests().filter((line) => /\/(creds\/\w+|login)$|leases\/revoke$/.test(line));
  const usersOfTheEngine = () => story.ours.cloud.users().filter(({ name }) => name.includes("-deploy-"));
  const outputs = async () => JSON.parse((await story.pulumi("stack output --json --show-secrets")).stdout);

  beforeAll(async () => {
    const jwt = await new SignJWT({})
      .setProtectedHeader({ alg: "RS256" })
      .setSubject("job")
      .setAudience("trustplane")
      .setIssuedAt()
      .setNotBefore("0s")
      .setExpirationTime("1h")
      .sign(privateKey);
    story = await openStory({
      program: { source: program(library) },
      env: ({ ours }) => ({
        JWT: jwt,
        ISSUER_KEY: publicKey.export({ type: "spki", format: "pem" }).toString(),
        ROOT_ACCESS_KEY: rootKey.accessKeyId,
        ROOT_SECRET_KEY: rootKey.secretKey,
        STS: `${ours.admin.address}/cloud/sts`,
        WHOAMI: `${ours.admin.address}/cloud/caller-identity`,
        ADMIN_TOKEN: ours.admin.token,
      }),
    });
    story.ours.cloud.setKeyDelay(keyDelaySeconds);
    return story.close;
  }, openingMs);

  test("has nothing issued by a preview, also once its roles are there", async () => {
    await story.pulumi("preview");
    expect(issuings()).toEqual([]);

    await story.pulumi("up --yes --skip-preview");
    expect(issuings().sort()).toEqual(["GET cloud/creds/deploy", "POST auth/jwt/login"]);

    expect((await story.pulumi("preview")).text).not.toContain("error");
    expect(issuings()).toEqual([]);
  });

  test("logs in with a token of its own, and gets keys that the cloud does not know yet", async () => {
    expect(await outputs()).toMatchObject({ policies: ["default", "deploy"], sameToken: true, status: 403 });
    expect(usersOfTheEngine()).toHaveLength(1);
    const exported = JSON.stringify((await story.sandbox.export()).deployment.resources ?? []);
    for (const { secretKey } of usersOfTheEngine().flatMap((user) => user.accessKeys)) {
      expect(exported).not.toContain(secretKey);
    }
  });

  // @covers cloud: Endpoints > GET {mount}/creds/{name}
  test("gets keys that work when it waits until they are valid, and gives them back at the end", async () => {
    story.rewrite(program(library, "waitUntilValid: true, stsEndpoint: process.env.STS, revokeAtEnd: true"));

    await story.pulumi("up --yes --skip-preview");

    expect(await outputs()).toMatchObject({ status: 200 });
    const sent = issuings();
    expect(sent.sort()).toEqual(["GET cloud/creds/deploy", "POST auth/jwt/login", "POST sys/leases/revoke"]);
    // That of the update before, which was not to be given back.
    expect(usersOfTheEngine()).toHaveLength(1);
  });
});

function program(library: string, more = ""): string {
  return `
const trustplane = require("${library}");
const { env } = process;
const issuer = new trustplane.jwt.Config("jwt", { jwtValidationPubkeys: [env.ISSUER_KEY] });
const ci = new trustplane.jwt.Role("ci", {
  name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["trustplane"], tokenPolicies: ["deploy"],
}, { dependsOn: issuer });
const login = trustplane.jwt.loginOutput({ role: ci.name, jwt: env.JWT });
exports.policies = login.policies;
exports.sameToken = login.clientToken.apply(async (token) => {
  const answer = await fetch(env.VAULT_ADDR + "/v1/auth/token/lookup-self", { headers: { "x-vault-token": token } });
  return (await answer.json()).data.id === token;
});

const root = new trustplane.cloud.RootConfig("root", { accessKey: env.ROOT_ACCESS_KEY, secretKey: env.ROOT_SECRET_KEY });
const deploy = new trustplane.cloud.Role("deploy", {
  name: "deploy", credentialType: "iam_user", policyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
}, { dependsOn: root });
const credentials = trustplane.cloud.getCredentialsOutput({ name: deploy.name, ${more} });
exports.status = credentials.apply(async ({ accessKey, secretKey }) => {
  const headers = { authorization: "Bearer " + env.ADMIN_TOKEN };
  const body = JSON.stringify({ accessKeyId: accessKey, secretKey });
  return (await fetch(env.WHOAMI, { method: "POST", headers, body })).status;
});
`;
}
