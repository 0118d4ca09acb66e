import { describe, expect, it } from "vitest";
import { NO_KIND, NOT_FOUND } from "../../provider/dialects/consul.ts";
import { dialects } from "../../provider/dialects/index.ts";
import { NO_COLLECTION, NO_HANDLER } from "../../provider/dialects/vault.ts";
import { LATER } from "../../provider/http/send.ts";
import type { Branch } from "./branch.ts";
import { branches } from "./branches.ts";
import { comparisonsIn } from "./comparisons.ts";
import { endpoints } from "./endpoints.ts";
import { type Exchange, textOf } from "./exchange.mts";
import { readRecording } from "./recording.mts";
import type { ServerName, Service } from "./scenario.mts";
import { scenarios } from "./scenarios/index.mts";

const recorded = scenarios.flatMap((scenario) =>
  scenario.servers.flatMap((server) =>
    readRecording(scenario, server).map((exchange) => ({ service: scenario.service, server, exchange })),
  ),
);

/** The texts that the provider compares answers with: what its tables and its modules say. */
const texts: readonly RegExp[] = [
  ...Object.values(dialects).flatMap(({ advice }) => advice.flatMap(({ text }) => text ?? [])),
  ...[NOT_FOUND, NO_KIND, NO_HANDLER, NO_COLLECTION],
];

/** Patterns in the code that talks to servers that are not about what a server says happened, and what they are about. */
const OTHER_PATTERNS: Readonly<Record<string, string>> = {
  "\\?.*": "the query of a path of our own",
  "^(pulumi|terraform|(open)?tofu)(-bin)?([-_]?v?\\d[\\w.+-]*)?(\\.exe)?$":
    "the name of the CLI that has started the provider",
  "^PULUMI_OPTION_(TARGET|EXCLUDE)": "a setting of the CLI",
  "^(-t|--?target|--?exclude)": "a flag of the CLI",
  "^--?destroy(=|$)": "a flag of the CLI",
  "^--?destroy(=(1|t|true))?$": "a flag of the CLI",
  "^--?out(=|$)": "a flag of the CLI",
  "^--?(var|var-file|target|exclude|replace|state|state-out|backup|lock-timeout|parallelism)$": "a flag of the CLI",
  "^--?(no-color|compact-warnings)$": "a flag of the CLI",
  "^.*\\) ": "what Linux says of a process",
  "\\s+": "the words of a command line",
  "(?:'[^']*'|\"(?:\\\\.|[^\"])*\"|[^\\s'\"])+": "the words of a command line",
  "\\.$": "the end of a sentence of our own",
  "^\\/+|\\/+$": "a namespace of our own",
  "\\/+$": "an address of our own",
  "^(\\[.+\\]|[^:]+):\\d+$": "a setting of our own",
  "^\\s*<": "an HTML page of a proxy",
  "text\\/html": "an HTML page of a proxy",
  "^\\s*<(!doctype|html)": "an HTML page of a proxy",
  "^\\d+ errors? occurred:\\s*": "how Vault lists errors: only leaves out, decides nothing",
  "\\s*\\n\\t\\* ": "how Vault lists errors: only leaves out, decides nothing",
  "^\\* ": "how Vault lists errors: only leaves out, decides nothing",
  "^v1\\/(peerings|config\\/service-intentions)(\\?|$)": "a path of our own",
  "^v1\\/(peering|config\\/[^/]+)\\/": "a path of our own",
  "^(v1\\/config\\/exported-services\\/)default(?=\\?|$)": "a path of our own",
  "^v1\\/config(?:\\/([^/?]+)(?:\\/([^?[]+))?)?": "a path of our own",
  'lacks permission \'(peering|mesh|intention):(read|write)\'(?: on "([^"]*)")?':
    "which right a refusal names, for the advice; the refusal itself has its branch",
  "\\/parameters(\\/|$)": "a path of our own",
  "^(organizations\\/[^/]+\\/policy-sets|policy-sets\\/[^/]+\\/parameters)(\\?|$)": "a path of our own",
  "[?&]list=true(&|$)": "a path of our own",
  "^.*?\\/api\\/v2\\/": "the prefix of a link",
  "^v?\\d+\\.": "whether a version is one",
  "^v?1\\.": "the number of a release",
  "\\+ent": "the edition in a version",
  "^\\w+$": "the name of a variable of ours",
  "^[\\x21-\\x7e]+$": "what a header can carry",
  "[\\\\^$.*+?()[\\]{}|/]": "how a secret of our own is escaped",
  "^(localhost|127(\\.\\d+){3}|\\[::1\\])$": "an address of our own",
  "\\?.*$": "the query of a path of our own",
  "^sys\\/(?:auth\\/.|remount$)": "a path of our own",
  "[.?]?$": "the end of a message of our own",
  "[,\\s]+": "the entries of NO_PROXY",
  "^\\[(.+)\\]$": "a host of NO_PROXY, or of an address of our own",
  "^(?:\\[(.+)\\]|([^:]+)):(\\d*)$": "an entry of NO_PROXY",
  "^(\\*?\\.)?(.*)$": "an entry of NO_PROXY",
  "^[!-~]*$": "an entry of NO_PROXY",
  "(.)\\.$": "a host of NO_PROXY, or of an address of our own",
};

describe("the recordings", () => {
  it("are at least 200", () => {
    expect(recorded.filter(({ server }) => server !== "reference").length).toBeGreaterThanOrEqual(200);
  });

  it("of the reference name their section, and only they do", () => {
    for (const { service, servers, steps } of scenarios) {
      const isWritten = service === "policy";
      expect(servers.includes("reference" satisfies ServerName)).toBe(isWritten);
      for (const { title, section } of steps) expect(section !== undefined, title).toBe(isWritten);
    }
  });

  it.each(endpoints())("cover $method $path of the $service service", ({ service, method, path }) => {
    const todo =
      "no step of test/wire/scenarios asks this: add one, then `npm run record` (server/README.md: without servers)";
    expect(found(service, `${method} ${path}`), todo).not.toEqual([]);
  });
});

describe("what the provider makes of answers", () => {
  it.each(branches)("$where: $service $status $text $shows", (branch) => {
    for (const request of branch.requests) {
      const shown = found(branch.service, request).filter((exchange) => isShown(branch, exchange));
      if (branch.unrecorded === undefined) expect(shown, request).not.toEqual([]);
      else expect(shown, `"${branch.unrecorded}" is not true any more: ${request}`).toEqual([]);
    }
  });

  it("has every text in a branch, and no branch has another", () => {
    const listed = branches.flatMap(({ text }) => text?.source ?? []);
    expect(new Set(listed)).toEqual(new Set(texts.map(({ source }) => source)));
  });

  // @covers jwt: Errors > status codes and bodies
  // @covers cloud: Errors > other status codes
  it("has every status of the tables in a branch", () => {
    const listed = branches.map(({ service, status }) => `${service} ${status}`);
    for (const { service, advice } of Object.values(dialects)) {
      for (const { status } of advice) if (status !== undefined) expect(listed).toContain(`${service} ${status}`);
    }
    for (const status of LATER) expect(branches.map((branch) => branch.status)).toContain(status);
  });

  const comparisons = comparisonsIn(["provider/dialects", "provider/engine", "provider/http"]);

  it.each(comparisons.statuses)("has $file's comparison with $status in a branch", ({ file, status }) => {
    const listed = branches.filter(({ where }) => where.startsWith(`${file} `)).map((branch) => branch.status);
    expect(listed).toContain(status);
  });

  it("looks for no pattern that is neither in a branch nor of something else", () => {
    const known = [...texts.map(({ source }) => source), ...Object.keys(OTHER_PATTERNS)];
    const sources = comparisons.patterns.map(({ source }) => source);
    expect(sources.filter((source) => !known.includes(source))).toEqual([]);
    expect(Object.keys(OTHER_PATTERNS).filter((source) => !sources.includes(source))).toEqual([]);
  });
});

function isShown({ status, text, shows }: Branch, exchange: Exchange): boolean {
  if (exchange.status !== status) return false;
  const said = textOf(exchange);
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${value}`);
  return (text?.test(said) ?? true) && (shows?.test(`${headers.join("\n")}\n${said}`) ?? true);
}

/** The exchanges of a request such as `GET peering/{name}`; a query counts where the pattern has one. */
function found(service: Service, request: string): Exchange[] {
  const [method = "", template = ""] = request.split(" ");
  const [path = "", query] = template.split("?");
  const patternOf = (text: string) => text.replace(/[.+]/g, "\\$&").replace(/\{\w+\}/g, "[^/?&]+");
  const asked = new RegExp(`^/(v1|api/v2)/${patternOf(path)}(\\?.*)?$`);
  return recorded
    .filter((each) => each.service === service && each.exchange.request.method === method)
    .map(({ exchange }) => exchange)
    .filter((exchange) => asked.test(exchange.request.path))
    .filter((exchange) => query === undefined || new RegExp(`\\?${patternOf(query)}$`).test(exchange.request.path));
}
