import type { Values } from "../../provider/core/definition.ts";
import { fails, login, mayNot, never, passes, read } from "./danger-cases.ts";
import { create, one, stack, type TrustCase } from "./trust-cases.ts";

/** Two servers' records with one path. */
const twice = (token: string, after: Values) => [...stack(), create(token, "other", { connection: "east", ...after })];
const other = { mount: "jobs", name: "deploy", roleType: "jwt", userClaim: "sub", boundAudiences: ["x"] };
const open = { mount: "jobs", namespace: "team", roleType: "jwt", userClaim: "sub", boundSubject: "ci" };
const inTeam = [...stack(), create("jwt:Role", "team", { ...open, name: "deploy" })];
/** Which of several records a test means. */
export const placeCases: readonly TrustCase[] = [
  fails(
    "a role that two servers have in different forms",
    one("refused", "sub: nobody"),
    "the stack has more than one jwt.Role deploy",
    twice("jwt:Role", other),
  ),
  fails(
    "never: a configuration that two servers have in different forms",
    never("mount: jobs, policy: deploy, unless: { project_path: acme/* }"),
    "the stack has more than one jwt.Config jobs",
    twice("jwt:Config", { mount: "jobs", boundIssuer: "https://other.example.com" }),
  ),
  fails(
    "a policy that two servers have in different forms",
    mayNot("secret/x"),
    "nobody knows what policy deploy allows",
    twice("sys:Policy", { name: "deploy", policy: read("secret/*") }),
  ),
  fails(
    "a misspelt connection",
    login("mount: jobs, role: deploy, connection: eats", "refused", "sub: nobody"),
    'no record with the connection "eats": it has "" and "east"',
    twice("jwt:Role", other),
  ),
  fails(
    "a misspelt namespace",
    never("mount: jobs, policy: deploy, namespace: team/x"),
    'no record with the namespace "team/x": it has ""',
  ),
  passes(
    "that one of two roles which a connection names",
    login('mount: jobs, role: deploy, connection: ""', "{ policies: [deploy] }"),
    twice("jwt:Role", other),
  ),
  passes(
    "the other one of two roles",
    login("mount: jobs, role: deploy, connection: east", "{ policies: [] }"),
    twice("jwt:Role", other),
  ),
  fails(
    "never: that configuration of two which a connection names",
    never("mount: jobs, policy: deploy, connection: east, unless: { project_path: acme/* }"),
    "the stack has no role at auth/jobs",
    twice("jwt:Config", { mount: "jobs", boundIssuer: "https://other.example.com" }),
  ),
  passes(
    "that one of two roles which a namespace names",
    login("mount: jobs, role: deploy, namespace: /team/", "{ policies: [] }"),
    inTeam,
  ),
  fails(
    "a role of a namespace that has no text of the policy",
    login("mount: jobs, role: team", '{ mayNot: { "secret/x": [read] } }', "sub: ci"),
    "nobody knows what policy deploy allows",
    [...stack(), create("jwt:Role", "team", { ...open, name: "team", tokenPolicies: ["deploy"] })],
  ),
  passes("a role that two servers have in the same form", one("{ policies: [deploy] }"), [
    ...stack(),
    ...stack({ connection: "east" }).filter(({ token }) => token === "jwt:Role"),
  ]),
];
