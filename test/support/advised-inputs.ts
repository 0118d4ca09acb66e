import { expect } from "vitest";
import type { Mistake } from "./mistaken-inputs.ts";
import { validInputs } from "./valid-inputs.ts";

const role = validInputs.jwtRole[0];
const arns = (arn: string) => ({ name: "a", credentialType: "assumed_role", roleArns: [arn] });
const arnLike = "it must be like arn:aws:iam::123456789012:role/name";

/** What the servers take although it is mostly a mistake, and what is said of it. */
export const advised: readonly Mistake[] = [
  [
    "39: names of policies that are others",
    "jwtRole",
    { ...role, tokenPolicies: ["a,b", "Deploy ", "{{identity.entity.name}}"] },
    [
      'jwt.Role "ci": tokenPolicies[0] is "a,b", which is the name of one policy: give each policy as an element of its own',
      'jwt.Role "ci": tokenPolicies[1] is "Deploy "; the server reads it as the policy "deploy"',
    ],
  ],
  [
    "39: the policy root",
    "jwtRole",
    { ...role, tokenPolicies: ["root"] },
    ['jwt.Role "ci": tokenPolicies has root: the server refuses logins that would get the root policy'],
  ],
  [
    "40: a claim without a value",
    "jwtRole",
    { ...role, boundClaims: { ref: [] } },
    ['jwt.Role "ci": boundClaims["ref"] has no accepted value: no token can log in'],
  ],
  [
    "41: a redirect URI without a scheme",
    "jwtRole",
    {
      ...validInputs.jwtRole[1],
      allowedRedirectUris: ["localhost:8250/oidc/callback", "http://localhost:8250/oidc/callback"],
    },
    [
      'jwt.Role "ui": allowedRedirectUris[0] is "localhost:8250/oidc/callback", without a scheme: no login has such an address; begin it with http:// or https://',
    ],
  ],
  [
    "42: typing errors in a policy of the cloud",
    "cloudRole",
    {
      name: "a",
      credentialType: "iam_user",
      policyDocument: {
        Version: "2012-10-17",
        Statment: [],
        Statement: [{ Effect: "allow", Acton: "s3:*", resource: "*" }],
      },
    },
    [
      'cloud.Role "a": policyDocument has the unknown member "Statment"; did you mean Statement?',
      'cloud.Role "a": policyDocument.Statement[0] has the unknown member "Acton"; did you mean Action?',
      'cloud.Role "a": policyDocument.Statement[0].Effect is "allow", and must be Allow or Deny',
    ],
  ],
  [
    "42: a role of the cloud without policies",
    "cloudRole",
    { name: "a", credentialType: "iam_user" },
    ['cloud.Role "a": policyDocument or policyArns is needed: without one, the credentials permit nothing'],
  ],
  ...["jtw", "JWT"].map(
    (type): Mistake => [
      `43: a mount of type ${type}`,
      "sysAuthMount",
      { path: `m-${type}`, type },
      [
        `sys.AuthMount "m-${type}": type "${type}" is no type that a server has by itself; did you mean jwt?`,
        expect.stringContaining("400 plugin not found"),
      ],
    ],
  ),
  [
    "44: the path of a method with auth/",
    "sysAuthMount",
    { path: "auth/x", type: "jwt" },
    [
      'sys.AuthMount "auth/x": path begins with auth/, which the server adds itself: it would be mounted at auth/auth/x; leave it out',
    ],
  ],
  [
    "45: the path of a record for its mount",
    "jwtRole",
    { ...role, mount: "jwt/role" },
    [
      'jwt.Role "ci": mount is "jwt/role": give only the path of the mount, "jwt", unless one is mounted at the whole path',
      'creating jwt.Role "ci": 404 unsupported path (GET auth/jwt/role/role/ci). The mount has no such path: check that its path is only that of the mount, and that the server is new enough for this.',
    ],
  ],
  [
    "46: a name for an id",
    "identityGroup",
    { name: "g", memberEntityIds: ["not-an-id", "7d2e3179-f69b-450c-7179-ac8ee8bd8ca9"] },
    [
      'identity.Group "g": memberEntityIds[0] is "not-an-id", which is no id of the server: a name is none',
      expect.stringContaining("invalid entity ID"),
    ],
  ],
  [
    "17: capitals in a name",
    "sysPolicy",
    { name: "Deploy", policy: 'path "secret/deploy" { capabilities = ["read"] }' },
    ['sys.Policy "deploy": name is "Deploy"; the server stores it as "deploy"'],
  ],
  [
    "17: capitals in a record of a set",
    "jwtRoleSet",
    { defaults: { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] }, roles: { Deploy: {}, test: {} } },
    ['jwt.RoleSet "jwt": roles.Deploy is "Deploy"; the server stores it as "deploy"'],
  ],
  [
    "19: no audience",
    "jwtRole",
    { ...role, boundAudiences: undefined, boundSubject: "x" },
    ['jwt.Role "ci": boundAudiences is not set: the server refuses every token that has an `aud` claim'],
  ],
  [
    "20: policies for everybody",
    "jwtRole",
    { ...validInputs.jwtRole[1], tokenPolicies: ["deploy"] },
    [
      'jwt.Role "ui": tokenPolicies go to every user of the identity provider, as the role restricts nobody: set one of tokenBoundCidrs, boundSubject, boundClaims, or give them to an identity.Group instead',
    ],
  ],
  [
    "24: a policy's path with v1/",
    "sysPolicy",
    { name: "a", rules: [{ path: "/v1/secret/data/x", capabilities: ["read"] }] },
    [
      'sys.Policy "a": policy path "v1/secret/data/x" begins with v1/, which paths in a policy do not have: leave it out',
    ],
  ],
  [
    "25: a literal *",
    "jwtRole",
    { ...role, boundSubject: "repo:*", boundClaims: { ref: "refs/*" } },
    [
      'jwt.Role "ci": boundSubject has a *, which is a plain character there: to match a pattern, bind `sub` in boundClaims, with boundClaimsType: "glob"',
      'jwt.Role "ci": boundClaims["ref"] has a *, which is a plain character: to match a pattern, set boundClaimsType: "glob"',
    ],
  ],
  ...Object.entries({
    "arn:aws:iam:123456789012:role/x": "must have six sections, such as arn:aws:iam::123456789012:role/name",
    "arn:aws:iam::12345678901:role/x": `has no account of 12 digits: ${arnLike}`,
    "arn:aws:iam::123456789012:policy/x": `is not the ARN of a role: ${arnLike}`,
    "arn:aws:iam:eu-west-1:123456789012:role/x": `has a region, which no ARN of IAM has: ${arnLike}`,
    "arn:aws:ima::123456789012:role/x": `is not of the service iam: ${arnLike}`,
  }).map(
    ([arn, reason]): Mistake => [
      `26: ${arn}`,
      "cloudRole",
      arns(arn),
      [`cloud.Role "a": roleArns[0] "${arn}" ${reason}`],
    ],
  ),
  [
    "33: an external group without an alias",
    "identityGroup",
    { name: "g", type: "external" },
    [
      'identity.Group "g": type is external, and without an alias no login puts anybody in it: set alias, unless something else makes it',
    ],
  ],
];
