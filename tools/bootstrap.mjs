// @ts-check
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { ensureDependencies } from "./steps/dependencies.mjs";
import { endOnInterrupt } from "./steps/interrupt.mjs";
import { createProgress } from "./steps/progress.mjs";
import { findProjectNode } from "./steps/project-node.mjs";
import { reportFailure } from "./steps/step-error.mjs";

const dispatchFile = fileURLToPath(new URL("./dispatch.mjs", import.meta.url));

/**
 * Brings the dependencies and Node 24, then hands over to `dispatch.mjs` on that Node.
 * @param {string[]} args the command and what belongs to it
 */
export async function bootstrap(args) {
  const release = endOnInterrupt();
  try {
    const progress = createProgress();
    await ensureDependencies({ progress });
    const node = await findProjectNode({ progress });
    release();
    if (realpathSync(process.execPath) === realpathSync(node)) {
      const { dispatch } = await import("./dispatch.mjs");
      await dispatch(args);
    } else {
      await handOver(node, args);
    }
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}

/**
 * @param {string} node
 * @param {string[]} args
 */
function handOver(node, args) {
  const child = spawn(node, [dispatchFile, ...args], { stdio: "inherit" });
  // A terminal signals the child itself as well; it takes two signals in quick succession as one.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    reportFailure(error);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 1)));
}
