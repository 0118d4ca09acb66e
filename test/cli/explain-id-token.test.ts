import { describe, expect, it } from "vitest";
import {
  browserSteps,
  deployRole,
  ISSUER,
  idTokenExplainCases,
  policy,
  rightClaims,
} from "../support/explain-cases.ts";
import { explained, explainToken, inside } from "./explain-harness.ts";

const now = Math.floor(Date.now() / 1000);
const missedIn = (out: string) => [...out.matchAll(/^MISS {2}(\S+):/gm)].map(([, property]) => property);

describe("trustplane explain, of an ID token", () => {
  it.each(idTokenExplainCases)("$title", async ({ steps, claims, misses, wouldLogIn }) => {
    const { code, out } = await explained([...explainToken, inside], { ...rightClaims, ...claims }, steps);
    expect(missedIn(out)).toEqual(misses);
    expect(out).toContain(wouldLogIn ? "The login would get " : "The login would be refused: ");
    expect(code).toBe(wouldLogIn ? 0 : 2);
  });

  it("shows what an ID token has, of each claim that the method reads", async () => {
    const claims = { ...rightClaims, aud: ["app", "b"], auth_time: 1, exp: now - 7200, iat: undefined };
    const { out } = await explained([...explainToken, inside], claims, browserSteps);
    for (const said of [
      `ok    oidcDiscoveryUrl: the token has "${ISSUER}", the role wants "${ISSUER}"`,
      'MISS  oidcClientId: the token has ["app","b"], the role wants "app"',
      "      `azp` is not in the token, bound is `app`",
      "      `exp` was 2h",
      "MISS  maxAge: the token has 1970-01-01T00:00:01.000Z, the role wants a login of the last 1h",
      "      `auth_time` was ",
      'ok    sub: the token has "ci", the role wants a text',
    ])
      expect(out).toContain(said);
    expect(out).not.toMatch(/iat|nbf/);
  });

  it("says that nothing is known of issuer and keys of another token where the stack has no configuration", async () => {
    const { out } = await explained([...explainToken, inside], rightClaims, [deployRole(), policy]);
    expect(out).toMatch(/get policies .* for 15m\. Its issuer and keys were not looked at: .* of auth\/jobs .* not in/);
  });

  // A platform team often has the method, and another stack the roles.
  it.each([
    [{ aud: "app" }, "ES256", [], "Where it fits, the login would get policies default, deploy for 15m."],
    [{ aud: "app", exp: now - 3600 }, "ES256", ["exp"], "The login would be refused: "],
    [{ aud: "app" }, "HS256", ["jwtSupportedAlgs"], "The login would be refused: the token's header"],
    [{ aud: undefined }, "ES256", ["oidcClientId"], "The login would be refused: "],
  ])(
    "judges the rest of an ID token %j by %s where the stack has no configuration",
    async (wrong, alg, misses, said) => {
      const claims = { ...rightClaims, auth_time: now, ...wrong };
      const { code, out, err } = await explained([...explainToken, inside], claims, browserSteps.slice(1), alg);
      expect(err).toBe("");
      expect(missedIn(out)).toEqual(misses);
      expect(out).toContain(said);
      expect(out.includes("It cannot be told what iss and aud must be: ")).toBe(misses.length === 0);
      expect(code).toBe(2);
    },
  );
});
