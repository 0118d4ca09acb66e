import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";
import { jwtMount } from "./mounts.ts";

export const jwtRoleCase = defineCase("jwtRole", {
  async prepare(world) {
    const mount = await jwtMount(world);
    const path = `auth/${mount}/role/ci`;
    const raw = world.raw("secrets");
    return {
      minimal: { mount, name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] },
      full: {
        mount,
        name: "ci",
        roleType: "jwt",
        userClaim: "/sub",
        userClaimJsonPointer: true,
        boundAudiences: ["b", "a"],
        clockSkewLeeway: "2m",
        expirationLeeway: -1,
        notBeforeLeeway: 30,
        boundSubject: "repo:acme/infra",
        boundClaims: { project: ["one", "two"], protected: true, level: 3 },
        boundClaimsType: "string",
        groupsClaim: "/groups",
        claimMappings: { email: "mail", "/nested/name": "name" },
        oidcScopes: ["profile", "email"],
        allowedRedirectUris: ["https://app.example/oidc/callback", "http://localhost:8250/oidc/callback"],
        verboseOidcLogging: true,
        maxAge: "1h",
        tokenTtl: "30m",
        tokenMaxTtl: "2h",
        tokenPolicies: ["writer", "Reader"],
        tokenBoundCidrs: ["10.0.0.0/8", "192.0.2.1/32"],
        tokenExplicitMaxTtl: "3h",
        tokenNoDefaultPolicy: true,
        tokenNumUses: 5,
        tokenPeriod: "10m",
        tokenType: "service",
      },
      id: path,
      record: pathOf("auth/{mount}/role/{name}"),
      remove: async () => void (await raw.call(`DELETE ${path}`)),
      async edit() {
        await raw.call(`POST ${path}`, {
          role_type: "jwt",
          bound_claims_type: "glob",
          bound_claims: { project: "a*" },
          token_ttl: 77,
          token_policies: ["admin"],
        });
        return {
          boundClaimsType: "glob",
          boundClaims: { project: "a*" },
          tokenTtl: "1m17s",
          tokenPolicies: ["admin"],
        };
      },
    };
  },
  fields: {
    mount: replaced(async (world) => ({ mount: await jwtMount(world) })),
    name: replaced({ name: "other" }, { without: "required" }),
    roleType: changed({ roleType: "oidc" }),
    userClaim: changed({ userClaim: "/email" }, { without: "required" }),
    userClaimJsonPointer: changed({ userClaimJsonPointer: false }),
    boundAudiences: changed({ boundAudiences: ["c"] }),
    clockSkewLeeway: changed({ clockSkewLeeway: 90 }),
    expirationLeeway: changed({ expirationLeeway: "45s" }),
    notBeforeLeeway: changed({ notBeforeLeeway: -1 }),
    boundSubject: changed({ boundSubject: "repo:acme/app" }),
    boundClaims: changed({ boundClaims: { project: "three" } }),
    boundClaimsType: changed(
      { boundClaimsType: "glob" },
      { from: { boundClaims: { project: "a*" } }, without: { boundClaimsType: undefined } },
    ),
    groupsClaim: changed({ groupsClaim: "teams" }),
    claimMappings: changed({ claimMappings: { email: "address" } }),
    oidcScopes: changed({ oidcScopes: ["email"] }),
    allowedRedirectUris: changed({ allowedRedirectUris: ["https://app.example/other"] }),
    verboseOidcLogging: changed({ verboseOidcLogging: false }),
    maxAge: changed({ maxAge: 60 }),
    tokenTtl: changed({ tokenTtl: "45m" }),
    tokenMaxTtl: changed({ tokenMaxTtl: "4h" }),
    tokenPolicies: changed({ tokenPolicies: ["admin"] }),
    tokenBoundCidrs: changed({ tokenBoundCidrs: ["2001:DB8::/32"] }),
    tokenExplicitMaxTtl: changed({ tokenExplicitMaxTtl: "5h" }),
    tokenNoDefaultPolicy: changed({ tokenNoDefaultPolicy: false }),
    tokenNumUses: changed({ tokenNumUses: 6 }),
    tokenPeriod: changed({ tokenPeriod: "20m" }),
    tokenType: changed({ tokenType: "batch" }, { from: { tokenPeriod: undefined, tokenNumUses: undefined } }),
    // @covers beyond: jwt.Role > alias_metadata
    aliasMetadata: changed({ aliasMetadata: { team: "infra" } }),
    // @covers beyond: jwt.Role > callback_mode
    callbackMode: changed({ callbackMode: "direct" }),
    // @covers beyond: jwt.Role > poll_interval
    pollInterval: changed({ pollInterval: 5 }),
    // @covers beyond: jwt.Role > oauth2_metadata
    oauth2Metadata: changed({ oauth2Metadata: ["id_token"] }),
    // @covers beyond: jwt.Role > token_policies_template_claims
    tokenPoliciesTemplateClaims: changed({ tokenPoliciesTemplateClaims: true }),
    // @covers beyond: jwt.Role > token_strictly_bind_ip
    tokenStrictlyBindIp: changed({ tokenStrictlyBindIp: true }, { from: { tokenBoundCidrs: undefined } }),
    // @covers beyond: jwt.Role > oidc_disable_confirmation
    oidcDisableConfirmation: changed({ oidcDisableConfirmation: true }),
  },
  spellings: [
    { title: "seconds and durations", one: { tokenTtl: 3600 }, other: { tokenTtl: "1h0m0s" } },
    { title: "short and long durations", one: { tokenTtl: "1h" }, other: { tokenTtl: "60m" } },
    { title: "days and hours", one: { maxAge: "7d" }, other: { maxAge: "168h" } },
    { title: "an unset duration and 0", one: { maxAge: 0 }, other: { maxAge: undefined } },
    { title: "the order of sets", one: { tokenPolicies: ["a", "b"] }, other: { tokenPolicies: ["b", "a"] } },
    { title: "repetitions in sets", one: { boundAudiences: ["a", "a"] }, other: { boundAudiences: ["a"] } },
    { title: "blanks around elements", one: { oidcScopes: [" email "] }, other: { oidcScopes: ["email"] } },
    { title: "host masks", one: { tokenBoundCidrs: ["10.0.0.1/32"] }, other: { tokenBoundCidrs: ["10.0.0.1"] } },
    {
      title: "forms of an IPv6 block",
      one: { tokenBoundCidrs: ["2001:DB8:0:0::/32"] },
      other: { tokenBoundCidrs: ["2001:db8::/32"] },
    },
    { title: "letter case of the name", one: { name: "CI" }, other: { name: "ci" } },
    { title: "an empty and an unset list", one: { oidcScopes: [] }, other: { oidcScopes: undefined } },
    { title: "null and an unset list", one: { oidcScopes: null }, other: { oidcScopes: undefined } },
    { title: "an empty and an unset map", one: { claimMappings: {} }, other: { claimMappings: undefined } },
    { title: "an empty and an unset text", one: { groupsClaim: "" }, other: { groupsClaim: undefined } },
    { title: "the default and an unset kind", one: { tokenType: "default" }, other: { tokenType: undefined } },
    { title: "false and an unset flag", one: { verboseOidcLogging: false }, other: { verboseOidcLogging: undefined } },
    { title: "one value and a list of it", one: { boundClaims: { a: "x" } }, other: { boundClaims: { a: ["x"] } } },
    {
      title: "the order of members",
      one: { boundClaims: { a: "x", b: ["y", "z"] } },
      other: { boundClaims: { b: ["z", "y"], a: "x" } },
    },
  ],
  requests: {
    create: ["GET auth/{mount}/role/ci", "POST auth/{mount}/role/ci", "GET auth/{mount}/role/ci"],
    update: ["GET auth/{mount}/role/ci", "POST auth/{mount}/role/ci", "GET auth/{mount}/role/ci"],
    read: ["GET auth/{mount}/role/ci"],
    delete: ["GET sys/auth", "GET auth/{mount}/role/ci", "DELETE auth/{mount}/role/ci", "GET auth/{mount}/role/ci"],
  },
});
