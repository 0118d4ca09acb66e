import { spawn } from "node:child_process";

/** Whether a program says `answer` within 20 seconds of its start. It is ended then: its stdin stays open until it has said so. */
export function answers(command: string, args: readonly string[], answer: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], timeout: 20_000, killSignal: "SIGKILL" });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        said += text;
        if (said.includes(answer)) child.kill("SIGKILL");
      });
    }
    child.on("error", () => resolve(false));
    child.on("close", () => resolve(said.includes(answer)));
  });
}
