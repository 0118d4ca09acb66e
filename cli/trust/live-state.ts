import { SERVICE_NAMES, type Service } from "../../provider/core/connection-entry";
import { ProviderError } from "../../provider/core/errors";
import { typeToken } from "../../provider/core/type-token";
import { createEngine } from "../../provider/engine/engine";
import { type LiveRecords, readLive } from "../adopt/read-servers";
import { visibleText } from "../changes/visible-text";
import { namesService } from "../doctor/targets";
import { readOnly } from "../drift/read-only";
import { progressOn } from "../progress";
import type { Terminal } from "../terminal";

/** Requests at once: those of drift detection. */
const PARALLEL = 16;

/** Policy sets give nobody anything. */
const ASKED: readonly Service[] = SERVICE_NAMES.filter((name) => name !== "policy");

/**
 * What the servers of the environment have, as the state of a stack that has all of it. They are only read.
 *
 * @throws ConfigError where no server is named; InputError where a record cannot be read, because an answer without it could be wrong.
 */
export async function liveState(terminal: Terminal): Promise<string> {
  const services = ASKED.filter((name) => namesService(name, process.env));
  if (services.length === 0)
    throw new ProviderError(
      "ConfigError",
      "it is not known which servers to read: set VAULT_ADDR or CONSUL_HTTP_ADDR.",
    );
  const { live, unread } = await read(services, terminal);
  const [first] = unread;
  if (first !== undefined) {
    const more = unread.length > 1 ? `, and ${unread.length - 1} more` : "";
    throw new ProviderError("InputError", `${first.what} cannot be read${more}: ${first.reason}`);
  }
  const resources = live.map(({ definition, id, values, state }) => {
    const type = typeToken(definition.token);
    return { urn: `urn:pulumi:live::servers::${type}::${id}`, type, custom: true, id, inputs: values, outputs: state };
  });
  return JSON.stringify({ version: 3, deployment: { resources } });
}

async function read(services: readonly Service[], terminal: Terminal): Promise<LiveRecords> {
  const { progress, clear } = progressOn(terminal, (done, all) => `read ${done} of ${all} records`);
  const engine = createEngine({
    config: () => undefined,
    env: process.env,
    log: (_, message) => {
      clear();
      terminal.err(`trustplane: ${visibleText(message)}\n`);
    },
    around: readOnly,
  });
  const everything = { mounts: [], organizations: [], policySets: [], include: [], exclude: [] };
  try {
    return await readLive(engine, { services, ...everything, parallel: PARALLEL, progress });
  } finally {
    clear();
    await engine.end();
  }
}
