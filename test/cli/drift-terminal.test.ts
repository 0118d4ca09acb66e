import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { runCommand } from "../../cli/run-command.ts";
import { openStack, role } from "./drift-harness.ts";

/** A terminal of this width, with colours, at which somebody looks. */
async function watch(stack: Awaited<ReturnType<typeof openStack>>, columns: number) {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(stack.env)) vi.stubEnv(name, value);
  const [out, err]: [string[], string[]] = [[], []];
  const state = JSON.stringify({ deployment: { resources: stack.resources } });
  await runCommand(["drift", "--state", "-"], {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    ended: () => new Promise(() => {}),
    input: Readable.from([state]),
    columns,
    hasColours: true,
    isWatched: true,
  });
  return { out: out.join(""), err: err.join("") };
}

it("a terminal sees the progress, which is gone at the end", async () => {
  const { err } = await watch(await openStack([role("ci"), role("nightly")]), 80);
  expect(err).toContain("compared 2 of 2 resources");
  expect(err.endsWith("\r\u001b[K")).toBe(true);
});

it("a narrow terminal shows long values in full, in colour", async () => {
  const stack = await openStack([role("ci", { boundSubject: "x".repeat(90) })]);
  await stack.raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", bound_subject: "y".repeat(90) });
  const { out } = await watch(stack, 80);
  expect(out).toContain("\u001b[33m");
  const table = out.split("\n\n").at(2) ?? "";
  const rows = table.split("\n");
  expect(Math.max(...rows.map((row) => stripVTControlCharacters(row).length))).toBeLessThanOrEqual(80);
  expect(table.match(/x/g)).toHaveLength(90);
  expect(table.match(/y/g)).toHaveLength(90);
});
