import { describe, expect, it } from "vitest";
import { benchOptions } from "../../tools/bench/options.mts";

const names = ["requests", "state"];

describe("the options of npm run bench", () => {
  it("without arguments everything is measured with 1,000 roles, and BENCHMARKS.md is written", () => {
    expect(benchOptions([], names)).toEqual({ roles: 1_000, output: "BENCHMARKS.md", command: "npm run bench" });
  });

  it.each([
    { args: ["--roles", "50"], options: { roles: 50 } },
    { args: ["--roles", "9", "--peer", "./peer.sh"], options: { roles: 9, peer: "./peer.sh" } },
    { args: ["--only", "state"], options: { roles: 1_000, only: ["state"] } },
    { args: ["--only", "requests,state"], options: { roles: 1_000, only: ["requests", "state"] } },
  ])("a partial run ($args) does not replace the report", ({ args, options }) => {
    const { command: _, ...others } = benchOptions(args, names);
    expect(others).toEqual(options);
  });

  it.each([
    { args: ["--roles=50", "--output", "small.md"], command: "npm run bench -- --roles 50" },
    { args: ["--only", "state", "--only=requests"], command: "npm run bench -- --only state,requests" },
    { args: ["--peer", "sh 'my peer.sh'"], command: `npm run bench -- --peer "sh 'my peer.sh'"` },
  ])("what measures the same as $args is $command", ({ args, command }) => {
    expect(benchOptions(args, names).command).toBe(command);
  });

  it("a partial run goes where it is told to", () => {
    expect(benchOptions(["--roles=5", "--output", "small.md"], names)).toMatchObject({ roles: 5, output: "small.md" });
  });

  it.each([
    { args: ["--roles", "0"], reason: "--roles must be a whole number above 0, not 0" },
    { args: ["--roles", "many"], reason: "--roles must be a whole number above 0, not many" },
    { args: ["--only", "speed"], reason: 'there is no section "speed"' },
    { args: ["--fast"], reason: "Unknown option '--fast'" },
    { args: ["50"], reason: "Unexpected argument '50'" },
  ])("$args is refused", ({ args, reason }) => {
    expect(() => benchOptions(args, names)).toThrow(reason);
  });
});
