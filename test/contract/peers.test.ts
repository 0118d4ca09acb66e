// @run test: it waits for clocks
// @servers embedded vault

import { describe, expect, it } from "vitest";
import { hostNames, hosts, pulumiHostNames } from "../support/contract-host.ts";
import { openDynamicHost } from "../support/contract-host-dynamic.ts";
import { publicKeyPem } from "../support/contract-issuer.ts";
import { asRecorded } from "../support/contract-secrets.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { resourceNames } from "../support/contract-suite.ts";
import { expectSame, recordOf, refusalOf, storedAfter, subjectOf } from "../support/contract-trap.ts";
import { openWorld } from "../support/contract-world.ts";

closeServersAfterwards();

/** What today's providers were seen to do (measured beside them); each of it is a test that we do not. */
describe("unlike the providers before it, trustplane", () => {
  // @covers cloud: Role > credential_type
  it("changes the type of a role in place", async () => {
    const { stored } = await storedAfter("jwtRole", { roleType: "jwt" }, { roleType: "oidc" });
    expect(stored["role_type"]).toBe("oidc");
    const { stack, ground } = await subjectOf("jwtRole");
    await stack.up(ground.full);
    expect(await stack.preview({ ...ground.full, roleType: "oidc" })).toEqual({ step: "update", replaces: [] });
  });

  it("keeps what it has just written when a replacement is forced, because the old record goes first", async () => {
    const { stack, ground, stored } = await subjectOf("jwtRole");
    await stack.up(ground.full);
    const before = await stored();
    await stack.destroy();
    await stack.up(ground.full);
    expect(await stored()).toEqual(before);
    expect(await stack.refresh()).toBe(true);
  });

  it("resets claim mappings that the program no longer has", async () => {
    const { stored } = await storedAfter("jwtRole", {}, { claimMappings: undefined });
    expect(stored["claim_mappings"]).toEqual({});
  });

  it("shows and repairs a claims type that was changed on the server", async () => {
    const subject = await subjectOf("jwtRole");
    const { stack, ground, world } = subject;
    const args = { ...ground.minimal, boundClaims: { project: "a*" }, boundClaimsType: "string" };
    await stack.up(args);
    const path = `auth/${String(ground.minimal["mount"])}/role/ci`;
    await world.raw("secrets").call(`POST ${path}`, { role_type: "jwt", bound_claims_type: "glob" });
    await stack.refresh();
    expect(stack.entry()?.inputs["boundClaimsType"]).toBe("glob");
    expect(await stack.up(args)).toBe("update");
    expect(await recordOf(subject)).toMatchObject({ bound_claims_type: "string" });
  });

  it("resets a maximum lifetime that the program no longer has", async () => {
    const assumed = {
      credentialType: "assumed_role",
      userPath: undefined,
      permissionsBoundaryArn: undefined,
      iamTags: undefined,
    };
    const { stored } = await storedAfter("cloudRole", { ...assumed, maxStsTtl: "1h" }, assumed);
    expect(stored["max_sts_ttl"]).toBe(0);
  });

  it("finds no difference in a key that ends in a newline", async () => {
    const pem = publicKeyPem("ed25519");
    const { stack, ground } = await subjectOf("jwtConfig");
    const args = { ...ground.minimal, jwtValidationPubkeys: [pem] };
    await stack.up(args);
    await stack.refresh();
    expect(pem.endsWith("\n")).toBe(true);
    expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  });

  it("takes a comma for a character of the value", async () => {
    const { stored } = await storedAfter("jwtRole", { boundClaims: { a: "x,y" }, boundAudiences: ["x,y"] });
    expect(stored).toMatchObject({ bound_claims: { a: "x,y" }, bound_audiences: ["x,y"] });
    await expectSame("jwtRole", { boundAudiences: ["x,y"] }, { boundAudiences: ["x,y"] });
  });

  it.each(resourceNames)("refuses a property that %s does not have", async (name) => {
    expect(await refusalOf(name, { nonesuch: 1 })).toMatchObject({
      nonesuch: expect.stringMatching(/^is not a property of [a-z]+\.[A-Za-z]+/),
    });
  });

  it("suggests the property that was meant", async () => {
    expect((await refusalOf("jwtRole", { boundAudience: ["a"] }))["boundAudience"]).toMatch(
      /did you mean boundAudiences\?/,
    );
  });

  it.each([
    ["a wrong type of role", { roleType: "saml" }, "roleType"],
    [
      "a jwt role that is bound to nothing",
      { boundAudiences: undefined, boundSubject: undefined, boundClaims: undefined, tokenBoundCidrs: undefined },
      "boundAudiences",
    ],
    ["an oidc role without redirect URIs", { roleType: "oidc", allowedRedirectUris: undefined }, "allowedRedirectUris"],
    ["a lifetime above the longest one", { tokenTtl: "3h", tokenMaxTtl: "2h" }, "tokenTtl"],
  ])("refuses %s in the preview, before anything is sent", async (_, patch, property) => {
    expect(await refusalOf("jwtRole", patch)).toHaveProperty(property);
  });

  it("names everything that is wrong at once", async () => {
    const refusal = await refusalOf("jwtRole", { roleType: "saml", tokenTtl: "1x", tokenNumUses: -1, userClaim: "" });
    expect(Object.keys(refusal).sort()).toEqual(["roleType", "tokenNumUses", "tokenTtl", "userClaim"]);
  });

  it.each(hostNames)("says in a preview that the server is down, through the %s host", async (name) => {
    const host = hosts[name]({ resource: "jwtRole", config: unreachable({ maxRetries: 0 }) });
    await createStack(host).preview({ name: "ci", roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] });
    expect(host.log().join()).toMatch(/warning: the secrets server was not checked: .*the connection was refused/);
  });

  // The providers before it take twelve seconds.
  it.each(pulumiHostNames)(
    "says soon that a refresh cannot reach the server, through the %s host",
    { timeout: 8_000 },
    async (name) => {
      const host = hosts[name]({ resource: "jwtRole", config: unreachable({}) });
      await expect(host.read("auth/jwt/role/ci", { mount: "jwt", name: "ci" })).rejects.toThrow(
        /^reading jwt.Role "ci": no answer from .*the connection was refused/,
      );
    },
  );

  it("keeps secrets out of the state", async () => {
    const world = await openWorld();
    const host = openDynamicHost({ resource: "cloudRootConfig", config: world.config() });
    const { cases } = await import("./cases/index.ts");
    const { full } = await cases.cloudRootConfig.prepare(world);
    await createStack(host).up(full);
    expect(host.answers.join()).toContain(String(full["secretKey"]));
    expect(host.answers.map(asRecorded).join()).not.toContain(String(full["secretKey"]));
  });
});

/** The configuration of a server at a port that nobody listens on; a free one could be another test's by then. */
function unreachable(settings: { maxRetries?: number }): Record<string, string> {
  return { secrets: JSON.stringify({ address: "http://127.0.0.1:9", ...settings }) };
}
