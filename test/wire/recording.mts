import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testExtent } from "../support/test-extent.mts";
import type { Exchange } from "./exchange.mts";
import { changesBetween, type ExchangeChanges, withChanges } from "./exchange-changes.mts";
import { fittedJson } from "./fitted-json.mts";
import { exchangeLike, type LikeEarlier, shortestEntry } from "./like-earlier.mts";
import { nameOf, type Scenario, type ServerName } from "./scenario.mts";

/** Servers that answer almost as another one does: their files say only what is different there. */
const bases: { readonly [server in ServerName]?: ServerName } = { "vault-1.19": "vault-1.21", openbao: "vault-1.21" };

/** A quick run replays one release of each product: the others answer almost alike. */
export function isReplayed(server: ServerName): boolean {
  return testExtent !== "quick" || bases[server] === undefined;
}

/**
 * A step in a file: all of it, or what is different from an earlier one; where the server has a base, what is different from
 * the same step there, or that only the base has it.
 */
type Entry = Exchange | LikeEarlier | ExchangeChanges | { readonly title: string; readonly absent: true };

/** Where the recordings of a server lie. */
export function recordingsFolder(server: ServerName): string {
  return join(import.meta.dirname, "../fixtures/wire", server);
}

export function recordingFile(scenario: Scenario, server: ServerName): string {
  return join(recordingsFolder(server), `${nameOf(scenario)}.json`);
}

/** @throws Error when the scenario was never recorded there. */
export function readRecording(scenario: Scenario, server: ServerName): readonly Exchange[] {
  const file = recordingFile(scenario, server);
  if (!existsSync(file)) throw new Error(`${nameOf(scenario)} was not recorded on ${server}: npm run record`);
  const entries: readonly Entry[] = JSON.parse(readFileSync(file, "utf8"));
  return exchangesOf(scenario, entries, baseOf(scenario, server));
}

/** What the entries of a file say, read on top of the base's exchanges. */
export function exchangesOf(
  scenario: Scenario,
  entries: readonly Entry[],
  base: readonly Exchange[],
): readonly Exchange[] {
  const exchanges = new Map(base.map((exchange) => [exchange.title, exchange]));
  for (const entry of entries) {
    const same = exchanges.get(entry.title);
    if ("absent" in entry) exchanges.delete(entry.title);
    else if ("like" in entry) exchanges.set(entry.title, exchangeLike(entry, exchanges));
    else if ("request" in entry) exchanges.set(entry.title, entry);
    else if (same !== undefined) exchanges.set(entry.title, withChanges(same, entry));
    else throw new Error(`"${entry.title}" changes the answer of another server, which has none`);
  }
  const titles = scenario.steps.map(({ title }) => title);
  return [...exchanges.values()].sort((a, b) => titles.indexOf(a.title) - titles.indexOf(b.title));
}

export function writeRecording(scenario: Scenario, server: ServerName, exchanges: readonly Exchange[]): void {
  for (const [file, text] of recordingTexts(scenario, server, exchanges)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The files of a recording: its own, and those that build on it. Their answers stay what they are. */
export function recordingTexts(
  scenario: Scenario,
  server: ServerName,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, string> {
  const others = scenario.servers.filter(
    (other) => bases[other] === server && existsSync(recordingFile(scenario, other)),
  );
  return new Map([
    [recordingFile(scenario, server), recordingText(exchanges, baseOf(scenario, server))],
    ...others.map(
      (other) => [recordingFile(scenario, other), recordingText(readRecording(scenario, other), exchanges)] as const,
    ),
  ]);
}

function recordingText(exchanges: readonly Exchange[], base: readonly Exchange[]): string {
  const titles = exchanges.map(({ title }) => title);
  const absent = base.filter(({ title }) => !titles.includes(title));
  const different = exchanges.flatMap((exchange, at): readonly Entry[] => {
    const same = base.find(({ title }) => title === exchange.title);
    const entry = same === undefined ? shortestEntry(exchange, exchanges.slice(0, at)) : changesBetween(same, exchange);
    return entry === undefined ? [] : [entry];
  });
  return fittedJson([...absent.map(({ title }) => ({ title, absent: true })), ...different]);
}

function baseOf(scenario: Scenario, server: ServerName): readonly Exchange[] {
  const base = bases[server];
  return base !== undefined && scenario.servers.includes(base) ? readRecording(scenario, base) : [];
}
