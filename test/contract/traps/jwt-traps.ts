import { expect } from "vitest";
import { publicKeyPem } from "../../support/contract-issuer.ts";
import { showsWriteOnly } from "../../support/contract-servers.ts";
import {
  expectSame,
  recordOf,
  refusalOf,
  storedAfter,
  subjectOf,
  type Trap,
  trap,
} from "../../support/contract-trap.ts";

/** Traps of the JWT auth method (reference secrets-server 6). */
export const jwtTraps: readonly Trap[] = [
  trap(1, "a duration reads back as seconds, and every spelling of it is the same", async () => {
    await expectSame("jwtRole", { tokenTtl: "1h" }, { tokenTtl: 3600 });
    await expectSame("jwtRole", { maxAge: "1500ms" }, { maxAge: 1 });
    await expectSame("jwtRole", { tokenExplicitMaxTtl: "7d" }, { tokenExplicitMaxTtl: "168h" });
  }),
  // @covers jwt: Token fields of a role > token_type
  trap(
    3,
    "a token type that is unset reads back as default",
    async () => void (await expectSame("jwtRole", { tokenType: undefined }, { tokenType: "default" })),
  ),
  // @covers jwt: Limits > leeways of 0 and -1
  trap(4, "a leeway of 0 stays 0, and the defaults that then apply are never shown as values", async () => {
    const { stack } = await expectSame("jwtRole", { expirationLeeway: 0 }, { expirationLeeway: undefined });
    expect(stack.entry()?.inputs).not.toMatchObject({ expirationLeeway: 150 });
  }),
  trap(5, "lists and maps that were never sent read null, sent empty they read empty: both are unset", async () => {
    const { stack, ground, world } = await subjectOf("jwtRole");
    const path = `auth/${String(ground.minimal["mount"])}/role/ci`;
    const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ground.minimal["boundAudiences"] };
    await world.raw("secrets").call(`POST ${path}`, body);
    await stack.adopt(path);
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
    await stack.up({ ...ground.minimal, oidcScopes: [], claimMappings: {} });
    expect(await stack.preview(ground.minimal)).toEqual({ step: "same", replaces: [] });
  }),
  // @covers jwt: What the service does > two role types
  trap(7, "an update sends role type and claims type, which the server would else reset", async () => {
    const { stored } = await storedAfter("jwtRole", {}, { tokenTtl: "31m" });
    expect(stored).toMatchObject({ role_type: "jwt" });
    const glob = { boundClaimsType: "glob", boundClaims: { a: "x*" } };
    const again = await storedAfter("jwtRole", glob, { ...glob, tokenTtl: "31m" });
    expect(again.stored).toMatchObject({ bound_claims_type: "glob" });
  }),
  // @covers jwt: Endpoints > POST auth/{mount}/config
  trap(
    8,
    "a configuration is always sent whole, the client secret too, as the server erases what is left out",
    async () => {
      const { stored, subject } = await storedAfter("jwtConfig", {}, { boundIssuer: "https://other.example" });
      // A real server never shows it, but refuses a client id without it.
      if (showsWriteOnly) expect(stored["oidc_client_secret"]).toBe(subject.ground.full["oidcClientSecret"]);
      expect(stored["oidc_client_id"]).toBe(subject.ground.full["oidcClientId"]);
    },
  ),
  // @covers jwt: Global configuration > oidc_client_secret
  trap(
    14,
    "a secret that is never returned is kept as applied, and only a change of the input is a change",
    async () => {
      const { stack, ground } = await expectSame("jwtConfig", {}, {});
      expect(stack.entry()?.inputs["oidcClientSecret"]).toBe(ground.full["oidcClientSecret"]);
      expect((await stack.preview({ ...ground.full, oidcClientSecret: "another" })).step).toBe("update");
      const root = await expectSame("cloudRootConfig", {}, {});
      expect(root.stack.entry()?.inputs["secretKey"]).toBe(root.ground.full["secretKey"]);
      expect((await root.stack.preview({ ...root.ground.full, secretKey: "another" })).step).toBe("update");
    },
  ),
  // @covers jwt: Role > name
  trap(15, "names are kept in lower case", async () => {
    const { stack } = await expectSame("jwtRole", { name: "CI" }, { name: "ci" });
    expect(stack.entry()?.id).toMatch(/\/role\/ci$/);
    await expectSame("jwtConfig", { defaultRole: "Reader" }, { defaultRole: "reader" });
  }),
  // @covers jwt: Global configuration > jwt_validation_pubkeys
  trap(18, "a PEM key loses its final newline, which is no change", async () => {
    const pem = publicKeyPem();
    const subject = await subjectOf("jwtConfig");
    const args = (key: string) => ({ mount: subject.ground.full["mount"], jwtValidationPubkeys: [key] });
    await subject.stack.up(args(pem));
    expect(await subject.stack.refresh()).toBe(true);
    expect(await subject.stack.preview(args(pem))).toEqual({ step: "same", replaces: [] });
    expect(await subject.stack.preview(args(pem.trim()))).toEqual({ step: "same", replaces: [] });
    expect((await recordOf(subject))["jwt_validation_pubkeys"]).toEqual([pem.trim()]);
  }),
  // @covers jwt: Global configuration > oidc_discovery_ca_pem
  trap(19, "CA texts are kept verbatim, and white space around them does not count", async () => {
    const { stored, subject } = await storedAfter("jwtConfig", {});
    const ca = String(subject.ground.full["oidcDiscoveryCaPem"]);
    expect(stored["oidc_discovery_ca_pem"]).toBe(ca);
    expect(await subject.stack.preview({ ...subject.ground.full, oidcDiscoveryCaPem: ca.trim() })).toMatchObject({
      step: "same",
    });
  }),
  trap(20, "elements are trimmed, and a comma in one does not split it", async () => {
    const { stored } = await storedAfter("jwtRole", { tokenPolicies: [" a ", "b,c"] });
    expect(stored["token_policies"]).toEqual(["a", "b,c"]);
    await expectSame("jwtRole", { tokenPolicies: [" a "] }, { tokenPolicies: ["a"] });
  }),
  trap(21, "the order of policies, audiences, scopes and redirect URIs is no difference", async () => {
    for (const field of ["tokenPolicies", "boundAudiences", "oidcScopes"]) {
      await expectSame("jwtRole", { [field]: ["a", "b", "c"] }, { [field]: ["c", "a", "b"] });
    }
    const uris = ["https://a.example", "https://b.example"];
    await expectSame("jwtRole", { allowedRedirectUris: uris }, { allowedRedirectUris: [...uris].reverse() });
  }),
  trap(22, "a role written with the deprecated names is taken over, and the next write drops them", async () => {
    const { stack, ground, world, stored } = await subjectOf("jwtRole");
    const path = `auth/${String(ground.minimal["mount"])}/role/ci`;
    const old = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"], policies: ["Old", "b"], ttl: 60 };
    await world.raw("secrets").call(`POST ${path}`, old);
    const adopted = await stack.adopt(path);
    expect(adopted).toMatchObject({ tokenPolicies: ["b", "old"], tokenTtl: "1m" });
    await stack.up({ ...ground.minimal, tokenPolicies: ["New"] });
    const record = await world.raw("secrets").call(`GET ${path}`);
    expect(record).toMatchObject({ data: { token_policies: ["New"], token_ttl: 0 } });
    expect(Object.keys((record as { data: object }).data)).not.toContain("policies");
    expect(await stored()).toBeDefined();
  }),
  // @covers jwt: Token fields of a role > token_bound_cidrs
  trap(23, "address blocks are printed without host masks, and IPv6 in its short form", async () => {
    await expectSame("jwtRole", { tokenBoundCidrs: ["10.0.0.1/32"] }, { tokenBoundCidrs: ["10.0.0.1"] });
    await expectSame("jwtRole", { tokenBoundCidrs: ["2001:DB8:0::1/128"] }, { tokenBoundCidrs: ["2001:db8::1"] });
  }),
  // @covers jwt: Token fields of a role > token_bound_cidrs
  trap(24, "what has a slash and is no address block is refused: the server would take it for a socket", async () => {
    for (const wrong of ["1.2.3.4/33", "/run/agent.sock", "10.0.0/8", "::1/129"]) {
      const refusal = await refusalOf("jwtRole", { tokenBoundCidrs: ["10.0.0.0/8", wrong] });
      expect(refusal["tokenBoundCidrs[1]"]).toMatch(/^must be an IP address or a block/);
    }
  }),
  // @covers jwt: Role > bound_claims
  trap(25, "bound claims keep their types, and one value is the same as a list of it", async () => {
    const claims = { text: "1", number: 1, flag: true, list: ["a", 2] };
    const { stored } = await storedAfter("jwtRole", { boundClaims: claims });
    expect(JSON.parse(JSON.stringify(stored["bound_claims"]))).toEqual(claims);
    await expectSame("jwtRole", { boundClaims: { a: "x" } }, { boundClaims: { a: ["x"] } });
    const { stack, ground } = await expectSame("jwtRole", { boundClaims: { a: 1 } }, { boundClaims: { a: 1 } });
    expect((await stack.preview({ ...ground.full, boundClaims: { a: "1" } })).step).toBe("update");
  }),
  trap(26, "maps of strings take strings only, as the server would turn everything else into them", async () => {
    expect(await refusalOf("jwtRole", { claimMappings: { a: 1 } })).toHaveProperty("claimMappings.a");
    expect(await refusalOf("cloudRole", { iamTags: { a: true } })).toHaveProperty("iamTags.a");
    expect(await refusalOf("jwtRole", { claimMappings: ["a=b"] })).toHaveProperty("claimMappings");
  }),
  // @covers jwt: Global configuration > provider_config
  trap(27, "provider options compare as text", async () => {
    const { stack, ground } = await expectSame(
      "jwtConfig",
      { providerConfig: { provider: "secureauth", depth: 3, deep: true } },
      { providerConfig: { provider: "secureauth", depth: "3", deep: "true" } },
    );
    expect((await stack.preview({ ...ground.full, providerConfig: { provider: "ibmisam" } })).step).toBe("update");
  }),
  // @covers jwt: Role > oidc_scopes
  trap(28, "openid is not added to the scopes", async () => {
    const { stored } = await storedAfter("jwtRole", { oidcScopes: ["email"] });
    expect(stored["oidc_scopes"]).toEqual(["email"]);
    await expectSame("jwtRole", { oidcScopes: ["email"] }, { oidcScopes: ["email"] });
  }),
  // @covers jwt: Global configuration > oidc_response_mode
  trap(29, "defaults of response mode, response types and algorithms are not written out", async () => {
    const unset = { oidcResponseMode: undefined, oidcResponseTypes: undefined, jwtSupportedAlgs: undefined };
    const { stored, subject } = await storedAfter("jwtConfig", unset);
    expect(stored).toMatchObject({ oidc_response_mode: "", oidc_response_types: [], jwt_supported_algs: [] });
    expect(await subject.stack.refresh()).toBe(true);
    const { inputs } = subject.stack.entry() ?? { inputs: {} };
    for (const name of Object.keys(unset)) expect(inputs).not.toHaveProperty(name);
  }),
  // @covers jwt: Global configuration > namespace_in_state
  trap(30, "the flag that the server keeps when it is left out is always sent", async () => {
    const { stored } = await storedAfter("jwtConfig", { namespaceInState: false }, { namespaceInState: undefined });
    expect(stored["namespace_in_state"]).toBe(true);
  }),
  // @covers jwt: Role > verbose_oidc_logging
  trap(40, "a write that answers with warnings is as good as one without", async () => {
    const { stack, ground } = await subjectOf("jwtRole");
    expect(await stack.up({ ...ground.full, verboseOidcLogging: true })).toBe("create");
    expect(await stack.up({ ...ground.full, verboseOidcLogging: true, tokenTtl: "33m" })).toBe("update");
  }),
  // @covers jwt: Role > max_age
  trap(42, "a duration is cleared with 0, as null is ignored", async () => {
    const { stored } = await storedAfter("jwtRole", { maxAge: "1h" }, { maxAge: undefined });
    expect(stored["max_age"]).toBe(0);
  }),
  trap(43, "flags are true and false, not texts", async () => {
    expect(await refusalOf("jwtRole", { verboseOidcLogging: "true" })).toHaveProperty("verboseOidcLogging");
    const { stored } = await storedAfter("jwtRole", { verboseOidcLogging: true });
    expect(stored["verbose_oidc_logging"]).toBe(true);
  }),
  trap(44, "a number in a list of bound claims never matches, of which the user is warned", async () => {
    const { world, ground } = await subjectOf("jwtRole");
    const host = world.host("dynamic", "jwtRole");
    await host.check({}, { ...ground.full, boundClaims: { level: [1, 2] } });
    expect(host.log().join()).toMatch(/warning: .*boundClaims.* never matches/);
  }),
  trap(45, "characters that the server escapes in JSON are the same when read", async () => {
    const value = "<a & b> \u2028";
    const { stored } = await storedAfter("jwtRole", { boundSubject: value });
    expect(stored["bound_subject"]).toBe(value);
    await expectSame("jwtRole", { boundSubject: value }, { boundSubject: value });
  }),
];
