import { generateKeyPairSync, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { expect } from "vitest";
import { explainSteps } from "../support/explain-cases.ts";
import { fileOfTest } from "../support/temporary-folder.ts";
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
  const state = fileOfTest("state.json", previewJson({ steps: wanted }));
  const jwt =
    claims && (await new SignJWT(claims).setProtectedHeader({ alg }).sign(alg === "ES256" ? privateKey : SHARED));
  const token = jwt ? ["--token", fileOfTest("jwt", jwt)] : [];
  const run = await runCli(["explain", ...words, "--state", state, ...token]);
  if (jwt) expect(run.out + run.err).not.toContain(jwt);
  return run;
}
export const explainToken = ["token", "--mount", "jobs", "--role", "deploy", "--address"];
export const inside = "127.2.3.4";
