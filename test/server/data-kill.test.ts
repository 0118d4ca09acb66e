// @run live: processes are killed by the dozen

import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { fc } from "../support/fast-check.ts";
import { ask, newDataFile } from "./data-harness";
import { type ServeProcess, startProcess } from "./data-process";
import { createWriters, type Writer } from "./data-writers";

/** When the process is killed: after so many answers, and so many turns of the event loop more. */
const moment = fc.record({ answers: fc.integer({ min: 1, max: 250 }), turns: fc.integer({ min: 0, max: 20 }) });

/** All write at once, each one thing after the other, until the process is gone. */
async function writeUntilKilled(
  writers: readonly Writer[],
  { process, answers, turns }: { process: ServeProcess; answers: number; turns: number },
): Promise<void> {
  let left = answers;
  const kill = async () => {
    for (let count = 0; count < turns; count += 1) await turn();
    await process.kill();
  };
  let killing: Promise<void> | undefined;
  const writeOn = async (writer: Writer) => {
    while (await writer.writeNext(process)) {
      left -= 1;
      if (left <= 0) killing ??= kill();
    }
  };
  await Promise.all(writers.map(writeOn));
  await killing;
}

it("a server that is killed at any moment has everything that it acknowledged when it starts again", async () => {
  const data = ["--data", newDataFile()];
  const writers = createWriters();
  let process = await startProcess(data);
  const root = { access_key: "AKIAROOT", secret_key: "secret" };
  const maker = { credential_type: "iam_user", iam_tags: { team: "x" } };
  for (const [path, body] of Object.entries({ "config/root": root, "roles/maker": maker })) {
    const asked = { service: "secrets", request: `POST /v1/cloud/${path}`, body } as const;
    expect((await ask(process.secrets, asked)).status).toBe(204);
  }
  const killed = fc.asyncProperty(moment, async ({ answers, turns }) => {
    await writeUntilKilled(writers, { process, answers, turns });
    const before = process;
    process = await startProcess(data);
    expect(tokensOf(process)).toEqual(tokensOf(before));
    for (const writer of writers) await writer.assertKept(process);
  });
  // Each run goes on from what the last one left, so a smaller example would be another.
  await fc.assert(killed, { numRuns: 10, endOnFailure: true });
}, 300_000);

const tokensOf = ({ secrets, cluster, policy, admin }: ServeProcess) =>
  [secrets, cluster, policy, admin].map(({ token }) => token);
