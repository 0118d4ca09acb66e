import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { elapsed } from "../../tools/steps/elapsed.mjs";
import { createProgress } from "../../tools/steps/progress.mjs";
import { StepError } from "../../tools/steps/step-error.mjs";

const clearLine = "\r\x1b[K";

function recordingStream({ isTTY = false, columns = 60 } = {}) {
  const written: string[] = [];
  return { written, isTTY, columns, write: (text: string) => written.push(text) };
}

describe("elapsed", () => {
  it.each([
    [0, "0.0 s"],
    [420, "0.4 s"],
    [9_949, "9.9 s"],
    [9_960, "10 s"],
    [59_400, "59 s"],
    [60_000, "1 min 00 s"],
    [303_000, "5 min 03 s"],
  ])("%i ms is %s", (ms, text) => {
    expect(elapsed(ms)).toBe(text);
  });
});

describe("the progress of a step", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("without a terminal: a line at the start, one now and then, one at the end", async () => {
    const stream = recordingStream();
    const done = createProgress({ stream, heartbeatMs: 15_000 }).step("building", async (detail) => {
      detail("package 7");
      await new Promise((resolve) => setTimeout(resolve, 40_000));
      return 42;
    });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await done).toBe(42);
    expect(stream.written).toEqual([
      "trustplane: building …\n",
      "trustplane: building … still at it, 15 s (package 7)\n",
      "trustplane: building … still at it, 30 s (package 7)\n",
      "trustplane: building: done in 40 s\n",
    ]);
  });

  it("a detail that is very long is cut", async () => {
    const stream = recordingStream();
    const done = createProgress({ stream, heartbeatMs: 15_000 }).step("building", async (detail) => {
      detail("x".repeat(200));
      await new Promise((resolve) => setTimeout(resolve, 15_000));
    });
    await vi.advanceTimersByTimeAsync(15_000);
    await done;
    expect(stream.written[1]).toBe(`trustplane: building … still at it, 15 s (${"x".repeat(80)}…)\n`);
  });

  it("on a terminal: one line that is drawn again, never wider than the terminal, and replaced by the result", async () => {
    const stream = recordingStream({ isTTY: true });
    const done = createProgress({ stream, live: true }).step("building", async (detail) => {
      detail("x".repeat(200));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await done;
    const drawn = stream.written.slice(0, -1);
    expect(drawn.length).toBeGreaterThan(3);
    for (const text of drawn) {
      expect(text.startsWith(clearLine)).toBe(true);
      expect(text.slice(clearLine.length)).toMatch(/^trustplane: building … [\d.]+ s.*$/);
      expect(text.length - clearLine.length).toBeLessThan(60);
    }
    expect(stream.written.at(-1)).toBe(`${clearLine}trustplane: building: done in 1.0 s\n`);
  });

  it("a failure is shown with its time and carries the name of the step", async () => {
    const stream = recordingStream();
    const failing = createProgress({ stream }).step("building", () => {
      throw new StepError("no disk");
    });
    const expectation = expect(failing).rejects.toMatchObject({ step: "building", message: "no disk" });
    await vi.advanceTimersByTimeAsync(100);
    await expectation;
    expect(stream.written.at(-1)).toMatch(/^trustplane: building: failed after 0\.\d s\n$/);
  });

  it("a step that prints lines of its own has its title once, above them", async () => {
    const stream = recordingStream();
    const progress = createProgress({ stream, prefix: "  ", isTitleRepeated: false });
    await progress.step("$ pulumi up", () => progress.say("| created"));
    expect(stream.written).toEqual(["  $ pulumi up …\n", "  | created\n", "  done in 0.0 s\n"]);
  });
});
