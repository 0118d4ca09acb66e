import { check } from "../core/check";
import type { Values, WireRecord } from "../core/definition";
import { ProviderError, textOf } from "../core/errors";
import { type FunctionDefinition, type FunctionRequest, missingResults, resultsOf } from "../core/function";
import { membersOf } from "../core/record";
import { textsIn } from "../core/seal";
import { requestPath } from "../core/template";
import type { Reply } from "./api-request";
import type { Connection } from "./connection";
import type { Log } from "./log";
import { assertRecord, leftOut } from "./look";
import { doing, messageOf, titleOf, warnOf } from "./operation";
import { untilValid } from "./validity";

/** What one call of a function works on. */
export interface FunctionCall {
  readonly definition: FunctionDefinition;
  readonly connection: Connection;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a call. */
export interface CallResult {
  readonly results: Values;
  /** Gives back what was issued, where the arguments ask for it. */
  readonly release?: () => Promise<void>;
}

/** The arguments as they are sent. Throws for those that are wrong, all at once; asks for nothing but the server's version. */
export function checkCall(call: FunctionCall, args: Values): Promise<Values> {
  const { definition, connection, log, signal } = call;
  return doing("calling", call, args, async () => {
    // Fingerprints are of what is recorded, and nothing of a call is.
    const plain = { ...definition, secrets: {} };
    const checked = check(plain, args, {}, await connection.server(signal));
    warnOf(definition, checked, log);
    const { inputs, failures } = checked;
    if (failures.length === 0) return inputs;
    throw new ProviderError("InputError", `${textOf(failures)}.`, { failures });
  });
}

/** Asks the server. What is not there is an error that says what was looked for. */
export async function callFunction(call: FunctionCall, args: Values): Promise<CallResult> {
  const { definition, connection } = call;
  const values = await checkCall(call, args);
  return doing("calling", call, values, async () => {
    const request = definition.request(values);
    const path = requestPath(request.path, values);
    const record = recordOf(definition, await ask(call, request, path, values), `${request.method} ${path}`, values);
    const refusal = definition.refusal?.(record);
    if (refusal !== undefined) throw new ProviderError("ResponseError", `${refusal} (${request.method} ${path}).`);
    const results = resultsOf(definition.results, record, values);
    const [missing] = missingResults(definition.results, results);
    if (missing !== undefined) {
      throw new ProviderError("ResponseError", `the server's answer has no ${missing} (${request.method} ${path}).`);
    }
    const { release, validity } = definition;
    const given = release?.members(results);
    const giveBack = async () => {
      if (!release || !given) return;
      const secrets = Object.values(given).flatMap(textsIn);
      await connection.ask({ method: "POST", path: release.path, members: given, secrets });
    };
    if (validity && values[validity.when] === true) {
      const caller = validity.callerOf({ ...values, ...results });
      const title = titleOf(definition, values);
      const { log, signal } = call;
      await untilValid(caller, { title, settings: connection.settings, log, signal }).catch(async (error: unknown) => {
        // Nobody gets what the server has issued. It stays until it expires where that fails, too.
        await giveBack().catch((reason: unknown) =>
          log("warning", `what ${title} was given is not revoked: ${messageOf(reason)}`),
        );
        throw error;
      });
    }
    if (!release || !given || values[release.when] !== true) return { results };
    return { results, release: () => doing("ending", call, values, giveBack) };
  });
}

function ask(call: FunctionCall, request: FunctionRequest, path: string, values: Values): Promise<Reply> {
  const { definition, connection, signal } = call;
  // Always the same reader: a collection is fetched anew for whoever has seen it.
  if (request.isCollection) return connection.collection(path, definition.token, { signal });
  const members = membersOf(definition, values, Object.keys(values));
  const mints = definition.issues;
  const secrets = Object.keys(definition.secrets).flatMap((name) => textsIn(values[name]));
  if (request.method === "POST") return connection.ask({ method: "POST", path, members, mints, secrets, signal });
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)])),
  ).toString();
  return connection.ask({ method: "GET", path: query === "" ? path : `${path}?${query}`, mints, secrets, signal });
}

function recordOf(definition: FunctionDefinition, reply: Reply, asked: string, args: Values): WireRecord {
  const { none, issues, unpack } = definition;
  if (reply.kind === "absent") {
    const { missing } = reply;
    if (none !== undefined && missing === undefined) return none;
    throw notThere(asked, missing);
  }
  if (reply.filtered) throw leftOut(asked);
  const answer = issues ? reply.issued : reply.record;
  const record = unpack ? unpack(answer, args) : answer;
  if (unpack && record === undefined) throw notThere(asked);
  assertRecord(record, asked);
  return record;
}

function notThere(asked: string, hint = ""): ProviderError {
  return new ProviderError("ApiError", `it is not there (${asked}). ${hint}`.trim(), { status: 404 });
}
