import type { Values } from "../../provider/core/definition.ts";
import { config, policy, role, rule, type SentenceStep, stays, step, type TrustSentence } from "./sentence-steps.ts";

const leaves = (token: string, values: Values): SentenceStep => ({ ...step(token, values), isLeft: true });
const people = { mount: "people", oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "app" };
const person = stays("jwt:Role", { ...role, mount: "people", name: "person", roleType: "oidc", groupsClaim: "groups" });
const robot = { mount: "cloud", name: "robot", username: "robot", rotationPeriod: "1h" };
const lease = { mount: "cloud", lease: "100h", leaseMax: "200h" };
const awsMount = { path: "cloud", type: "aws", defaultLeaseTtl: "1h", maxLeaseTtl: "200h" };
const read = rule("secret/*", '"read"');

/** Changes of what is around roles, and of what leaves the stack and stays. */
export const sentencesOfPlaces: readonly TrustSentence[] = [
  {
    change: "another client for browsers",
    steps: [person, step("jwt:Config", people, { ...people, oidcClientId: "other" })],
    sentence:
      "Logins through a browser for the client `other` now get in at `auth/people`, whose roles give `deploy`; before, for the client `app`.",
  },
  {
    change: "no client for browsers any more",
    steps: [person, step("jwt:Config", people, { ...people, oidcClientId: undefined })],
    sentence:
      "Logins through a browser no longer get in at `auth/people`, whose roles give `deploy`; before, for the client `app`.",
  },
  {
    change: "a first client for browsers",
    steps: [person, step("jwt:Config", { ...people, oidcClientId: undefined }, people)],
    sentence:
      "Logins through a browser for the client `app` now get in at `auth/people`, whose roles give `deploy`; before, none did.",
  },
  {
    change: "the provider is asked for groups",
    steps: [
      person,
      step("jwt:Config", people, { ...people, providerConfig: { provider: "gsuite", fetch_groups: "true" } }),
    ],
    sentence:
      "In which groups those are who get in at `auth/people`, whose roles give `deploy`, cannot be told: the provider is asked for them in another way (`providerConfig`).",
  },
  {
    change: "a mount lets tokens live longer",
    steps: [
      step(
        "sys:AuthMount",
        { path: "jobs", type: "jwt", maxLeaseTtl: "1h" },
        { path: "jobs", type: "jwt", maxLeaseTtl: "720h" },
      ),
    ],
    sentence: "Tokens of `auth/jobs` now live at most 720h; before, 1h.",
  },
  {
    change: "cloud users live longer",
    steps: [
      step(
        "cloud:LeaseConfig",
        { mount: "cloud", lease: "1h", leaseMax: "2h" },
        { mount: "cloud", lease: "1h", leaseMax: "200h" },
      ),
    ],
    sentence: "Credentials of cloud users of `cloud` now live at most 200h; before, 2h.",
  },
  {
    change: "a lifetime for cloud users where there was none",
    steps: [step("cloud:LeaseConfig", undefined, lease)],
    sentence: "Credentials of cloud users of `cloud` now live at most 200h; before, this stack did not say how long.",
  },
  {
    change: "a longer lifetime for cloud users than that of the mount",
    steps: [stays("sys:SecretsMount", awsMount), step("cloud:LeaseConfig", undefined, lease)],
    sentence:
      "Credentials of cloud users of `cloud` now live, where nothing else is said, 100h; before, this stack said it of the mount only: 1h.",
  },
  {
    change: "a policy reaches the keys of a cloud user",
    steps: [
      stays("jwt:Role", role),
      stays("cloud:StaticRole", robot),
      step("sys:Policy", policy(read), policy(read, rule("cloud/*", '"read"'))),
    ],
    sentence:
      "Whoever has the policy `deploy` now gets cloud credentials from `cloud/static-creds/robot`; before, not.",
  },
  {
    change: "another role where a login names none",
    steps: [
      stays("jwt:Role", role),
      step("jwt:Config", { ...config, defaultRole: "read" }, { ...config, defaultRole: "deploy" }),
    ],
    sentence: "Logins at `auth/jobs` that name no role now get the role `deploy`; before, the role `read`.",
  },
  {
    change: "a first role where a login names none",
    steps: [stays("jwt:Role", role), step("jwt:Config", config, { ...config, defaultRole: "deploy" })],
    sentence: "Logins at `auth/jobs` that name no role now get the role `deploy`; before, they were refused.",
  },
  {
    change: "a configuration is deleted, and stays",
    steps: [stays("jwt:Role", role), step("jwt:Config", config)],
    sentence:
      "Tokens of `https://git.example.com` still get in at `auth/jobs`, and nobody manages the configuration any more.",
  },
  {
    change: "a configuration is deleted with its roles, and stays",
    steps: [step("jwt:Role", role), step("jwt:Config", config)],
    sentence:
      "Tokens of `https://git.example.com` are still taken at `auth/jobs` for roles that this stack does not have, if there are any, and nobody manages the configuration any more.",
  },
  {
    change: "a configuration goes with its mount",
    steps: [stays("jwt:Role", role), step("jwt:Config", config), step("sys:AuthMount", { path: "jobs", type: "jwt" })],
    sentence: "Nobody gets in any more at `auth/jobs`: its configuration is gone.",
  },
  {
    change: "a configuration leaves the state and stays",
    steps: [stays("jwt:Role", role), leaves("jwt:Config", config)],
    sentence:
      "Tokens of `https://git.example.com` still get in at `auth/jobs`, and nobody manages the configuration any more.",
  },
  {
    change: "a configuration for browsers leaves the state and stays",
    steps: [person, leaves("jwt:Config", people)],
    sentence:
      "Logins through a browser of `https://login.example.com` still get in at `auth/people`, and nobody manages the configuration any more.",
  },
  {
    change: "a configuration without an issuer leaves the state and stays",
    steps: [stays("jwt:Role", role), leaves("jwt:Config", { mount: "jobs", jwksUrl: "https://git.example.com/keys" })],
    sentence:
      "Tokens of any issuer, if signed with the keys of `https://git.example.com/keys`, still get in at `auth/jobs`, and nobody manages the configuration any more.",
  },
  {
    change: "a policy leaves the state and stays",
    steps: [leaves("sys:Policy", policy(read))],
    sentence: "Whoever has the policy `deploy` may still do what it allows, and nobody manages the policy any more.",
  },
  {
    change: "a static role leaves the state and stays",
    steps: [leaves("cloud:StaticRole", robot)],
    sentence:
      "Whoever may read `cloud/static-creds/robot` still gets credentials, and nobody manages the role any more.",
  },
  {
    change: "an export leaves the state and stays",
    steps: [leaves("cluster:ExportedServices", { services: [{ name: "web", consumers: [{ peer: "east" }] }] })],
    sentence: "The peer `east` may still use the service `web`, and nobody manages the export any more.",
  },
  {
    change: "an intention leaves the state and stays",
    steps: [leaves("cluster:Intention", { destination: "db", sources: [{ name: "web", action: "allow" }] })],
    sentence: "Whoever might connect to `db` still may, and nobody manages the intention any more.",
  },
];

const root = { mount: "cloud", accessKey: "AKIAONEACCOUNT", secretKey: "s", onDelete: "forget" };
const kv = { path: "kv", type: "kv", maxLeaseTtl: "1h" };

/** Changes that give nobody anything. */
export const saidNothingOf: readonly Pick<TrustSentence, "change" | "steps">[] = [
  {
    change: "a mount without leases",
    steps: [step("sys:SecretsMount", kv, { ...kv, maxLeaseTtl: "2h" })],
  },
  {
    change: "a new mount, with its root key and lifetimes",
    steps: [
      step("sys:SecretsMount", undefined, awsMount),
      step("cloud:RootConfig", undefined, root),
      step("cloud:LeaseConfig", undefined, lease),
    ],
  },
  {
    change: "a secret of the same root key",
    steps: [step("cloud:RootConfig", root, { ...root, secretKey: "t" })],
  },
  {
    change: "a root key and a lifetime that go with their mount",
    steps: [step("sys:SecretsMount", awsMount), step("cloud:RootConfig", root), step("cloud:LeaseConfig", lease)],
  },
  {
    change: "an intention that only forbids, and is left",
    steps: [leaves("cluster:Intention", { destination: "db", sources: [{ name: "web", action: "deny" }] })],
  },
];
