import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { delimiter } from "node:path";
import { PassThrough } from "node:stream";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS, type CommandName, type CommandRow } from "../../cli/commands/options/commands.ts";
import { type Running, startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rightClaims } from "../support/explain-cases.ts";
import { type DriftRun, run } from "./drift-harness.ts";
import { aTerminal, FILES, folder, path, SUBJECTS, type Subject, WAYS } from "./grammar-ways.ts";

/** A stand-in for the Pulumi CLI: it writes down how it was called, and prints the state. */
const PULUMI = `#!/bin/sh
echo "$@" >> ${path("asked")}
case "$1" in stack) cat ${path("state.json")};; *) echo "{}";; esac
`;

let servers: Running;
beforeAll(async () => {
  for (const [name, content] of Object.entries(FILES)) writeFileSync(path(name), content);
  writeFileSync(path("pulumi"), PULUMI, { mode: 0o755 });
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(path("job.jwt"), await new SignJWT(rightClaims).setProtectedHeader({ alg: "ES256" }).sign(privateKey));
  servers = await startServers({});
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await servers.close();
});

async function called(subject: Subject, words: readonly string[], input: string | NodeJS.ReadableStream = "") {
  rmSync(path("asked"), { force: true });
  const PATH = [folder, process.env["PATH"]].join(delimiter);
  const env = subject.serverless ? { PATH } : { ...environmentOf(servers), PATH };
  const done = await run([subject.command, ...subject.words, ...words], env, input);
  return { ...done, asked: existsSync(path("asked")) ? readFileSync(path("asked"), "utf8") : "" };
}

/** What is printed first; what is said of the input comes before. */
function firstLine({ out, err }: DriftRun): string {
  const said = err.replace(
    /^trustplane: nothing came on the standard input.*\n|^trustplane: .* not compared\.\n/gm,
    "",
  );
  return (out || said).split("\n")[0] ?? "";
}

describe.each(SUBJECTS.map((subject) => [[subject.command, ...subject.words.slice(0, 1)].join(" "), subject] as const))(
  "trustplane %s",
  (_name, subject) => {
    const { input }: CommandRow = COMMANDS[subject.command];

    it.each(Object.entries(WAYS))("takes its stack from %s", async (_, way) => {
      if (input === undefined) throw new Error("it looks at no stack");
      const done = await called(subject, way.words ?? [], way.input?.());
      const { code, first } = way.expected(subject, input);
      expect(firstLine(done)).toMatch(first);
      expect(done.code).toBe(code);
      const isAsked = way.asks !== undefined && first === subject.first;
      expect(done.asked).toMatch(isAsked ? way.asks : /^$/);
    });
  },
);

describe("a socket, which a parent in Node may never close,", () => {
  const onSocket = async (input: PassThrough) => {
    const server: Server & { _handle?: { readonly fd: number } } = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(path("socket"), resolve));
    return Object.assign(input, { fd: server._handle?.fd });
  };
  const subjectOf = (name: CommandName) => SUBJECTS.find(({ command }) => command === name) as Subject;

  it("is not waited for by a command that is about the selected stack", async () => {
    const done = await called(subjectOf("permissions"), [], await onSocket(new PassThrough()));
    expect([done.code, done.asked]).toEqual([0, "stack export --non-interactive\n"]);
  });

  it("is read by a command that has always read its input", async () => {
    const done = await called(subjectOf("map"), [], await onSocket(new PassThrough().end(FILES["state.json"])));
    expect([done.code, done.asked]).toEqual([0, ""]);
  });
});

describe("trustplane comment", () => {
  const created = /^\*\*Preview of `a`\*\*: 3 to create/;
  const planned = /^\*\*Preview of `a`\*\*: 1 to replace/;

  it.each<[string, string[], string | NodeJS.ReadableStream, number, RegExp]>([
    ["a pipe", [], FILES["preview.json"], 0, created],
    ["-", ["-"], FILES["plan.json"], 0, planned],
    ["a file", [path("plan.json")], "", 0, planned],
    ["--preview", ["--preview", path("preview.json")], "", 0, created],
    ["--preview -", ["--preview", "-"], FILES["preview.json"], 0, created],
    ["an empty file", [path("empty.json")], "", 0, /^\*\*Preview of `a` failed\*\*/],
    [
      "a state",
      [path("state.json")],
      "",
      1,
      /^trustplane: the input is a state, and a preview or a drift report is needed/,
    ],
    ["a state of Terraform", [path("terraform.tfstate")], "", 1, /^trustplane: the input is a state, and a preview/],
    ["a terminal", [], aTerminal(), 1, /^trustplane: nothing comes on .* terminal: pipe a preview or a drift report/],
    ["two files", ["--preview", "x", "y"], "", 1, /^trustplane: --preview takes no file beside it/],
  ])("takes its preview from %s", async (_, words, input, code, first) => {
    const done = await run(["comment", "--dry-run", "--stack", "a", ...words], {}, input);
    expect(firstLine(done)).toMatch(first);
    expect(done.code).toBe(code);
  });
});

describe("the help of each command", () => {
  const all = Object.keys(COMMANDS).flatMap((name) =>
    name === "explain" ? [name, ...["token", "who", "role"].map((each) => `${name} ${each}`)] : [name],
  );

  it.each(all)("has the same parts in the same order: trustplane %s", async (name) => {
    const { out, code } = await run([...name.split(" "), "--help"], {});
    const { input, only }: CommandRow = COMMANDS[name.split(" ")[0] as CommandName];
    const title = only === undefined ? "Input: " : `Input, with ${only}: `;
    const parts = ["Usage: ", ...["Options:", ...(input ? [title + input.takes] : []), "Exit codes; ", "Examples\n"]];
    const places = parts.map((part) => out.indexOf(part === "Usage: " ? part : `\n${part}`));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(out).toMatch(/\nExamples\n( {2}.*trustplane .+\n)+$/);
    expect(code).toBe(0);
  });
});

it("a report is never written over a stack: `drift --json stack.json` names the report", async () => {
  for (const name of ["state.json", "preview.json", "terraform.tfstate", "plan.json"] as const) {
    const words = ["map", path("state.json"), "--json", path(name)];
    expect(await run(words, {})).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("a file to look at stands"),
    });
    expect(readFileSync(path(name), "utf8")).toBe(FILES[name]);
  }
  const again = ["map", path("state.json"), "--json", path("map.json")];
  expect([(await run(again, {})).code, (await run(again, {})).code]).toEqual([0, 0]);
});
