import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nameOf, type Scenario, type ServerName } from "./scenario.mts";

/** A request and its answer, scrubbed of what differs from run to run. */
export interface Exchange {
  /** The step that it is the recording of. */
  readonly title: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly status: number;
  /** Those that matter. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON where the answer is JSON, else its text; an empty text where it has none. */
  readonly body: unknown;
}

/** The text of an answer's body. */
export function textOf({ headers, body }: Exchange): string {
  const isText = typeof body === "string" && (body === "" || !/json/.test(headers["content-type"] ?? ""));
  return isText ? body : JSON.stringify(body);
}

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
  return JSON.parse(readFileSync(file, "utf8"));
}
