import { ensureLiveBinary } from "../live/ensure-live-binary.mts";
import { type LiveVault, startLiveVault } from "../live/live-servers.mts";
import { createProgress } from "../steps/progress.mjs";
import { StepError } from "../steps/step-error.mjs";

export interface BenchVault {
  /** With a JWT auth method at `jwt/`, as the embedded server has it from the start. */
  readonly running?: LiveVault;
  /** Why there is none, as a sentence of the report. */
  readonly missing: string;
}

/** A real Vault 1.21, built when it is not there; where it cannot be built, the report says so. */
export async function benchVault(): Promise<BenchVault> {
  try {
    await ensureLiveBinary("vault-1.21", { progress: createProgress() });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return { missing: `Not compared with a real Vault, which is not there and could not be built: ${error.message}.` };
  }
  const running = await startLiveVault("1.21");
  const answer = await fetch(`${running.address}/v1/sys/auth/jwt`, {
    method: "POST",
    headers: { "x-vault-token": running.token },
    body: JSON.stringify({ type: "jwt" }),
  });
  if (!answer.ok) throw new Error(`Vault refused the auth method: ${answer.status} ${await answer.text()}`);
  return { running, missing: "" };
}
