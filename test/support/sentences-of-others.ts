import type { Values } from "../../provider/core/definition.ts";
import { admins, config, policy, role, rule, stays, step, type TrustSentence } from "./sentence-steps.ts";

const read = rule("secret/*", '"read"');
const cloud: Values = {
  mount: "cloud",
  name: "app",
  credentialType: "assumed_role",
  roleArns: ["arn:aws:iam::123456789012:role/app"],
};
const rootKey: Values = { mount: "cloud", accessKey: "AKIAONEACCOUNT", secretKey: "s", onDelete: "forget" };

/** Changes of what is around roles. */
export const sentencesOfOthers: readonly TrustSentence[] = [
  {
    change: "another issuer",
    steps: [
      stays("jwt:Role", role),
      step("jwt:Config", config, { ...config, boundIssuer: "https://other.example.com" }),
    ],
    sentence:
      "Tokens of `https://other.example.com` now get in at `auth/jobs`, whose roles give `deploy`, and those of `https://git.example.com` no longer. The new tokens must be signed with the keys of `https://git.example.com/keys`.",
  },
  {
    change: "no issuer is bound any more",
    steps: [stays("jwt:Role", role), step("jwt:Config", config, { ...config, boundIssuer: "" })],
    sentence:
      "Tokens of any issuer now get in at `auth/jobs`, whose roles give `deploy`, if signed with the keys of `https://git.example.com/keys`; before, only of `https://git.example.com`.",
  },
  {
    change: "other keys",
    steps: [
      stays("jwt:Role", role),
      step("jwt:Config", config, { ...config, jwksUrl: "https://other.example.com/keys" }),
    ],
    sentence:
      "Tokens signed with the keys of `https://other.example.com/keys` now get in at `auth/jobs`, whose roles give `deploy`; before, with the keys of `https://git.example.com/keys`.",
  },
  {
    change: "one algorithm more",
    steps: [
      stays("jwt:Role", role),
      step(
        "jwt:Config",
        { ...config, jwtSupportedAlgs: ["RS256"] },
        { ...config, jwtSupportedAlgs: ["ES256", "RS256"] },
      ),
    ],
    sentence: "Tokens signed by the algorithm `ES256` now get in at `auth/jobs`, whose roles give `deploy`.",
  },
  {
    change: "a configuration over roles that stay",
    steps: [stays("jwt:Role", role), step("jwt:Config", undefined, config)],
    sentence:
      "Tokens of `https://git.example.com` now get in at `auth/jobs`, whose roles give `deploy`; before, this stack did not manage its issuer.",
  },
  {
    change: "a group gives more",
    steps: [step("identity:Group", admins, { ...admins, policies: ["admin", "root-ca"] })],
    sentence:
      "Everybody whose login at `auth/jobs` carries the group `platform` now also gets the policy `root-ca`; before, only `admin`.",
  },
  {
    change: "a group for others",
    steps: [step("identity:Group", admins, { ...admins, alias: { mount: "jobs", name: "everyone" } })],
    sentence:
      "Everybody whose login at `auth/jobs` carries the group `everyone` now gets the policy `admin`, and no longer those whose login at `auth/jobs` carries the group `platform`.",
  },
  {
    change: "a group leaves the state and stays",
    steps: [{ ...step("identity:Group", admins), isLeft: true }],
    sentence:
      "Everybody whose login at `auth/jobs` carries the group `platform` still gets the policy `admin`, and nobody manages the group any more.",
  },
  {
    change: "a rule more",
    steps: [stays("jwt:Role", role), step("sys:Policy", policy(read), policy(read, rule("kv/*", '"list", "read"')))],
    sentence: "Whoever has the policy `deploy` may now also `list` and `read` on `kv/*`.",
  },
  {
    change: "a rule that hid another one is gone",
    steps: [
      stays("jwt:Role", role),
      step(
        "sys:Policy",
        policy(rule("secret/+/root", '"update"'), rule("secret/app/*", '"read"')),
        policy(rule("secret/+/root", '"update"')),
      ),
    ],
    sentence: "Whoever has the policy `deploy` may now also `update` on `secret/app/root`.",
  },
  {
    change: "policies can be written",
    steps: [
      stays("jwt:Role", role),
      step("sys:Policy", policy(read), policy(read, rule("sys/policies/acl/*", '"update"'))),
    ],
    sentence:
      "Whoever has the policy `deploy` can now give itself everything: it may write policies by `sys/policies/acl/*`.",
  },
  {
    change: "a cloud role that hands out more",
    steps: [
      step("cloud:Role", cloud, {
        ...cloud,
        roleArns: ["arn:aws:iam::123456789012:role/admin", "arn:aws:iam::123456789012:role/app"],
      }),
    ],
    sentence:
      "Whoever may read `cloud/creds/app` or `cloud/sts/app` now also gets credentials with the role `arn:aws:iam::123456789012:role/admin`; before, only the role `arn:aws:iam::123456789012:role/app`.",
  },
  {
    change: "a policy reaches a cloud role",
    steps: [
      stays("jwt:Role", role),
      stays("cloud:Role", cloud),
      step("sys:Policy", policy(read), policy(read, rule("cloud/*", '"read"'))),
    ],
    sentence: "Whoever has the policy `deploy` now gets cloud credentials from `cloud/creds/app`; before, not.",
  },
  {
    change: "a policy reaches a cloud role by `sts` only",
    steps: [
      stays("jwt:Role", role),
      stays("cloud:Role", cloud),
      step("sys:Policy", policy(read), policy(read, rule("cloud/sts/*", '"update"'))),
    ],
    sentence: "Whoever has the policy `deploy` now gets cloud credentials from `cloud/sts/app`; before, not.",
  },
  {
    change: "another root key",
    steps: [
      step("cloud:RootConfig", rootKey, { ...rootKey, accessKey: "AKIAOTHERACCOUNT" }),
      stays("cloud:Role", cloud),
    ],
    sentence:
      "From which account and with which rights credentials of `cloud` come cannot be told: the engine now has another root key.",
  },
  {
    change: "a root key over cloud roles that stay",
    steps: [step("cloud:RootConfig", undefined, rootKey), stays("cloud:Role", cloud)],
    sentence:
      "From which account and with which rights credentials of `cloud` come cannot be told: before, this stack did not manage the root key.",
  },
  {
    change: "a root key is deleted, and stays",
    steps: [step("cloud:RootConfig", rootKey), stays("cloud:Role", cloud)],
    sentence: "Credentials of `cloud` still come by its root key, and nobody manages it any more.",
  },
  {
    change: "a root key is blanked (`onDelete`)",
    steps: [step("cloud:RootConfig", { ...rootKey, onDelete: "blank" }), stays("cloud:Role", cloud)],
    sentence:
      "From which account and with which rights credentials of `cloud` come cannot be told: without a root key, they come by what the server itself has, if anything.",
  },
  {
    change: "a service is exported",
    steps: [
      step(
        "cluster:ExportedServices",
        { services: [{ name: "web", consumers: [{ peer: "east" }] }] },
        {
          services: [
            { name: "web", consumers: [{ peer: "east" }] },
            { name: "db", consumers: [{ peer: "east" }] },
          ],
        },
      ),
    ],
    sentence: "The peer `east` may now use the service `db`; before, not.",
  },
  {
    change: "an intention is opened",
    steps: [
      step(
        "cluster:Intention",
        { destination: "db", sources: [{ name: "web", action: "deny" }] },
        { destination: "db", sources: [{ name: "web", action: "allow" }] },
      ),
    ],
    sentence: "The service `web` may now connect to `db`; before, it was denied.",
  },
];
