// @alone: it sends the process a signal, which the dynamic host of another file would hear

import { expect, it, onTestFinished, vi } from "vitest";
import { beforeSignalEnds } from "../../../provider/engine/before-signal-ends";

/** Notes the signals that the process sends itself, in place of ending by them. */
function noteSignals() {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  return kill;
}

it("a signal ends the process when all of the last work is done, and one listener serves all of it", async () => {
  const kill = noteSignals();
  const before = process.listenerCount("SIGTERM");
  const slow = Promise.withResolvers<void>();
  const quick = vi.fn(async () => {});
  beforeSignalEnds(quick);
  beforeSignalEnds(() => slow.promise);
  expect(process.listenerCount("SIGTERM")).toBe(before + 1);
  process.emit("SIGTERM", "SIGTERM");
  // A second signal ends the process at once.
  expect(process.listenerCount("SIGTERM")).toBe(before);
  await new Promise(setImmediate);
  expect(quick).toHaveBeenCalledOnce();
  expect(kill).not.toHaveBeenCalled();
  slow.resolve();
  await vi.waitFor(() => expect(kill.mock.calls).toEqual([[process.pid, "SIGTERM"]]));
});

it("work that is given up is not done, and leaves no listener", () => {
  const before = process.listenerCount("SIGINT");
  const giveUp = beforeSignalEnds(async () => {});
  giveUp();
  expect(process.listenerCount("SIGINT")).toBe(before);
});
