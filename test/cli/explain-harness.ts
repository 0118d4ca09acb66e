import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { expect, onTestFinished } from "vitest";
import { explainSteps } from "../support/explain-cases.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

export const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const SHARED = randomBytes(32);

/** A folder with a state and a token of somebody else's key. */
export async function explained(
  words: readonly string[],
  claims?: Readonly<Record<string, unknown>>,
  wanted = explainSteps,
  alg = "ES256",
) {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-explain-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, "state.json");
  writeFileSync(state, previewJson({ steps: wanted }));
  const jwt =
    claims && (await new SignJWT(claims).setProtectedHeader({ alg }).sign(alg === "ES256" ? privateKey : SHARED));
  if (jwt) writeFileSync(join(folder, "jwt"), jwt);
  const token = jwt ? ["--token", join(folder, "jwt")] : [];
  const run = await runCli(["explain", ...words, "--state", state, ...token]);
  if (jwt) expect(run.out + run.err).not.toContain(jwt);
  return run;
}
export const explainToken = ["token", "--mount", "jobs", "--role", "deploy", "--address"];
export const inside = "127.2.3.4";
