import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { explainCases, explainSteps, ISSUER, rightClaims } from "../support/explain-cases.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A folder with a state and a token of somebody else's key. */
async function explained(words: readonly string[], claims?: Readonly<Record<string, unknown>>, wanted = explainSteps) {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-explain-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, "state.json");
  writeFileSync(state, previewJson({ steps: wanted }));
  const jwt = claims && (await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey));
  if (jwt) writeFileSync(join(folder, "jwt"), jwt);
  const token = jwt ? ["--token", join(folder, "jwt")] : [];
  const run = await runCli(["explain", ...words, "--state", state, ...token]);
  if (jwt) expect(run.out + run.err).not.toContain(jwt);
  return run;
}
const token = ["token", "--mount", "jobs", "--role", "deploy", "--address"];
const inside = "127.2.3.4";

describe("trustplane explain", () => {
  it("says what a login with a token would get", async () => {
    const { out } = await explained([...token, inside], rightClaims);
    expect(out).toContain("The login would get policies default, deploy for 15m.");
  });

  it.each(explainCases)("$title", async ({ steps, claims, address = inside, misses = [], wouldLogIn }) => {
    const { code, out } = await explained([...token, address], { ...rightClaims, ...claims }, steps);
    const missed = [...out.matchAll(/^MISS {2}(\S+):/gm)].map(([, property]) => property);
    expect(missed).toEqual(misses);
    expect(out).toContain(wouldLogIn ? "The login would get " : "The login would be refused: ");
    expect(code).toBe(wouldLogIn ? 0 : 2);
  });

  it("says from which network a token must come", async () => {
    const { out } = await explained([...token, "127.0.0.1"], rightClaims);
    expect(out).toContain('MISS  tokenBoundCidrs: the token has 127.0.0.1, the role wants ["127.2.0.0/16"]');
  });

  it("says who can have a policy", async () => {
    const { code, out } = await explained(["who", "--policy", "deploy"]);
    expect(out).toBe(
      `Role deploy of auth/jobs: Every token of ${ISSUER} from "127.2.0.0/16" whose aud is "vault", and whose project_path is like "acme/*", and whose /job/ref is like "main" or "release".\n`,
    );
    expect(code).toBe(0);
    expect(await explained(["who", "--policy", "admin"])).toMatchObject({
      code: 0,
      out: "Nobody gets policy admin from this stack.\n",
    });
  });

  it("says what a role gives", async () => {
    const { code, out } = await explained(["role", "deploy"]);
    expect(out).toContain("  policy deploy\n    secret/*: list, read\n");
    expect(code).toBe(0);
  });

  it.each([
    ["a role that is not there", ["role", "other"], undefined, "the stack has no role other."],
    [
      "a role of another mount",
      ["token", "--mount", "x", "--role", "deploy"],
      rightClaims,
      "the stack has no role deploy at auth/x.",
    ],
  ])("ends with 1 for %s", async (_, words, claims, message) => {
    expect(await explained(words, claims)).toMatchObject({ code: 1, err: `trustplane: ${message}\n` });
  });

  it("does not repeat what is no token", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trustplane-explain-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "jwt"), "hvs.secret");
    const { code, err } = await explained([...token, inside, "--token", join(folder, "jwt")]);
    expect(err).toBe("trustplane: this is no JWT: give the token as the issuer has made it.\n");
    expect(code).toBe(1);
  });
});
