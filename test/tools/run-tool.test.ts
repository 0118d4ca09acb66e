import { expect, it } from "vitest";
import { runTool } from "../../tools/steps/run-tool.mjs";

const node = process.execPath;

it("a tool's stdout is its answer, without what it says on stderr", async () => {
  expect(await runTool(node, ["-e", "console.error('noise'); console.log('answer')"])).toBe("answer\n");
});

it("a tool that fails is reported with its code and its last lines of both streams", async () => {
  const script = "console.log('first'); console.error('last'); process.exit(3)";
  await expect(runTool(node, ["-e", script])).rejects.toMatchObject({
    name: "StepError",
    exitCode: 3,
    lastLines: expect.arrayContaining(["first", "last"]),
  });
});

it("only the last lines are kept", async () => {
  const script = "for (let i = 0; i < 50; i++) console.log(i); process.exit(1)";
  await expect(runTool(node, ["-e", script], { keptLines: 2 })).rejects.toMatchObject({ lastLines: ["48", "49"] });
});

it("a missing tool is named", async () => {
  await expect(runTool("no-such-tool-here", [])).rejects.toThrow("no-such-tool-here is not installed");
});

it("a tool that takes too long is ended", async () => {
  await expect(runTool(node, ["-e", "setInterval(() => {}, 1000)"], { timeoutMs: 100 })).rejects.toThrow(
    "no end after 0.1 s",
  );
});

it("a tool that asks gets the end of input instead of waiting for ever", async () => {
  const script = "process.stdin.resume().on('end', () => console.log('no input'))";
  expect(await runTool(node, ["-e", script])).toBe("no input\n");
});
