import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { jwtRole } from "../../../provider/resources/jwt/role";
import { expectRefusals } from "./expect-refusals";

const callback = "https://app.example.com/oidc/callback";
const unbound = { boundAudiences: null };

// @covers jwt: Role > a bound value
// @covers jwt: Role > bound_audiences
// @covers jwt: Role > max_age
describe("a jwt.Role for tokens", () => {
  const audiences = /is not set: the server refuses every token that has an `aud` claim/;
  expectRefusals("jwtRole", 0, {
    accepted: [
      { clockSkewLeeway: -1, expirationLeeway: "-5m", notBeforeLeeway: 0 },
      { boundClaims: { a: ["x", true], "/pointer": 5 } },
      { boundClaimsType: "glob", boundClaims: { a: ["x*", "y"], b: "*" } },
      { claimMappings: { sub: "user", "/nested/claim": "nested" } },
      { tokenTtl: "1h", tokenMaxTtl: 3600 },
      { tokenTtl: "1h", tokenMaxTtl: 0 },
      { tokenType: "batch", tokenTtl: "1h", tokenNumUses: 0, tokenPeriod: "0s" },
      { tokenBoundCidrs: ["10.0.0.0/8", "::1", "192.0.2.1"] },
      { groupsClaim: "/groups", userClaimJsonPointer: true, userClaim: "/sub" },
    ],
    refused: [
      [{ roleType: "saml" }, "roleType", 'must be one of "oidc", "jwt"'],
      [unbound, "boundAudiences", "must be set, or one of tokenBoundCidrs, boundSubject, boundClaims"],
      [{ boundAudiences: [], boundClaims: {}, boundSubject: "" }, "boundAudiences", /must be set, or one of/],
      [{ boundAudiences: "aud" }, "boundAudiences", "must be a list of strings"],
      [{ userClaim: null }, "userClaim", "is required"],
      [{ userClaim: "" }, "userClaim", /must not be empty/],
      [{ clockSkewLeeway: "1w" }, "clockSkewLeeway", /is not a duration/],
      [{ boundClaimsType: "regex" }, "boundClaimsType", 'must be one of "string", "glob"'],
      [{ boundClaimsType: "" }, "boundClaimsType", /must be one of/],
      [{ boundClaimsType: "glob", boundClaims: { "a b": 25 } }, 'boundClaims["a b"]', /must be a string when/],
      [{ boundClaimsType: "glob", boundClaims: { a: ["x", true] } }, 'boundClaims["a"]', /must be a string when/],
      [{ boundClaims: { a: { b: 1 } } }, "boundClaims.a", /must be a string, number or boolean/],
      [{ boundClaims: { a: [["x"]] } }, "boundClaims.a", /must be a string, number or boolean/],
      [{ boundClaims: { "": "x" } }, 'boundClaims[""]', "has an empty name"],
      [{ boundClaims: ["a"] }, "boundClaims", "must be a map of claims to values"],
      [{ claimMappings: { sub: "role" } }, 'claimMappings["sub"]', /the server sets that metadata field itself/],
      [{ claimMappings: { sub: "a", email: "a" } }, 'claimMappings["email"]', /that another claim maps to/],
      [{ claimMappings: { sub: 5 } }, "claimMappings.sub", "must be a string"],
      [{ claimMappings: ["sub=a"] }, "claimMappings", "must be a map of strings"],
      [{ tokenTtl: "2h", tokenMaxTtl: "1h" }, "tokenTtl", "must not be longer than tokenMaxTtl"],
      [{ tokenTtl: -1 }, "tokenTtl", "must not be negative"],
      [{ tokenMaxTtl: "-1h" }, "tokenMaxTtl", "must not be negative"],
      [{ tokenPeriod: -1 }, "tokenPeriod", "must not be negative"],
      [{ tokenExplicitMaxTtl: "forever" }, "tokenExplicitMaxTtl", /is not a duration/],
      [{ maxAge: -1 }, "maxAge", "must not be negative"],
      [{ tokenNumUses: -1 }, "tokenNumUses", "must be at least 0"],
      [{ tokenNumUses: 1.5 }, "tokenNumUses", "must be a whole number"],
      [{ tokenType: "default-service" }, "tokenType", 'must be one of "default", "service", "batch"'],
      [{ tokenType: "batch", tokenPeriod: "1h" }, "tokenPeriod", "must not be set when tokenType is batch"],
      [{ tokenType: "batch", tokenNumUses: 5 }, "tokenNumUses", "must not be set when tokenType is batch"],
      [{ tokenBoundCidrs: ["10.0.0.0/8", "1.2.3.4/33"] }, "tokenBoundCidrs[1]", /must be an IP address or a block/],
      [{ tokenBoundCidrs: ["/var/run/x.sock"] }, "tokenBoundCidrs[0]", /must be an IP address or a block/],
      [{ callbackMode: "zzz" }, "callbackMode", 'must be one of "client", "direct", "device"'],
      [{ pollInterval: -1 }, "pollInterval", "must be at least 0"],
      [{ allowedRedirectUris: ["callback"] }, "allowedRedirectUris[0]", /must be a URI/],
      [{ verboseOidcLogging: "yes" }, "verboseOidcLogging", "must be true or false"],
      [{ policies: ["a"] }, "policies", "is not a property of jwt.Role"],
    ],
    advised: [
      [{ ...unbound, boundSubject: "x" }, "boundAudiences", audiences],
      [{ ...unbound, boundClaims: { a: "x" } }, "boundAudiences", audiences],
      [{ ...unbound, tokenBoundCidrs: ["10.0.0.0/8"] }, "boundAudiences", audiences],
      [{ boundClaims: { a: [1, "x"] } }, 'boundClaims["a"]', /never matches/],
      [{ boundSubject: "repo:x/*" }, "boundSubject", /is a plain character there.* boundClaimsType: "glob"/],
      [
        { boundClaims: { ref: ["x", "refs/*"] } },
        'boundClaims["ref"]',
        /is a plain character: .* boundClaimsType: "glob"/,
      ],
      [{ tokenPolicies: ["ci", "root"] }, "tokenPolicies", /root policy/],
      [{ name: "a..b" }, "name", /two dots/],
    ],
  });
});

// @covers jwt: Role > allowed_redirect_uris
describe("a jwt.Role for browsers", () => {
  const uris = "must be set when roleType is oidc or not set; for logins of machines set roleType";
  const leeway = "only valid when roleType is jwt";
  const bound = { boundSubject: "x" };
  expectRefusals("jwtRole", 1, {
    accepted: [
      bound,
      { ...bound, roleType: "oidc", oidcScopes: ["email"], maxAge: 60 },
      { ...bound, allowedRedirectUris: ["http://127.0.0.1:8250/oidc/callback", callback] },
      { boundClaims: { groups: ["ops"] } },
    ],
    refused: [
      [{ allowedRedirectUris: null }, "allowedRedirectUris", uris],
      [{ allowedRedirectUris: [], roleType: "oidc" }, "allowedRedirectUris", uris],
      [{ allowedRedirectUris: [callback, "x y"] }, "allowedRedirectUris[1]", /must be a URI/],
    ],
    advised: [
      // The API page asks for a bound on every role, the servers only on jwt roles.
      [{ tokenPolicies: ["deploy"] }, "tokenPolicies", /go to every user of the identity provider/],
      [{ ...bound, clockSkewLeeway: "1m" }, "clockSkewLeeway", leeway],
      [{ ...bound, expirationLeeway: -1 }, "expirationLeeway", leeway],
      [{ ...bound, notBeforeLeeway: 5 }, "notBeforeLeeway", leeway],
    ],
  });
});

describe("the name of a jwt.Role", () => {
  const named = (name: unknown) => check(jwtRole, { name, roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] });

  it.each(["a", "_a", "a.b", "a-b", "a--b", "a.-b", "1", "ci_deploy"])("may be %j", (name) => {
    expect(named(name)).toMatchObject({ failures: [], warnings: [], inputs: { name } });
  });

  it("is kept in lower case", () => {
    expect(named("CI-Deploy").inputs).toMatchObject({ name: "ci-deploy" });
  });

  it.each(["", "a-", "-a", ".a", "a.", "a b", "a/b", "a@b", "ä", "a\n"])("is not %j", (name) => {
    expect(named(name).failures.map(({ property }) => property)).toEqual(["name"]);
  });
});
