import { check } from "../core/check";
import type { Values, WireRecord } from "../core/definition";
import { ProviderError, textOf } from "../core/errors";
import {
  type Afterwards,
  type FunctionDefinition,
  type FunctionRequest,
  missingResults,
  resultsOf,
} from "../core/function";
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

/** The result of a call by a host that gives back everything. */
export interface HeldResult extends CallResult {
  /** How long it lasts, where it ends. */
  readonly seconds?: number;
  /** Keeps it for longer, and answers how long it lasts then. */
  readonly renew?: () => Promise<number>;
}

/** The arguments as they are sent. Throws for those that are wrong, all at once; asks for nothing but the server's version. */
export function checkCall(call: FunctionCall, args: Values): Promise<Values> {
  const { definition, connection, log, signal } = call;
  return doing(verbOf(call), call, args, async () => {
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
  const { values, results, giveBack } = await called(call, args);
  const when = call.definition.release?.when;
  const isAsked = when !== undefined && values[when] === true;
  return giveBack && isAsked ? { results, release: giveBack } : { results };
}

/** Asks the server for something that the host keeps for a while and then gives back. */
export async function holdResult(call: FunctionCall, args: Values): Promise<HeldResult> {
  const { values, results, giveBack } = await called(call, args);
  const longer = after(call, call.definition.renewal, results);
  const seconds = Number(results["leaseDuration"] ?? 0);
  const renew = longer && (() => doing("renewing", call, values, async () => leaseSeconds(await longer())));
  return {
    results,
    ...(giveBack ? { release: giveBack } : {}),
    ...(seconds > 0 ? { seconds } : {}),
    ...(renew ? { renew } : {}),
  };
}

interface Called {
  readonly values: Values;
  readonly results: Values;
  /** Undefined where there is nothing to give back. */
  readonly giveBack: (() => Promise<void>) | undefined;
}

async function called(call: FunctionCall, args: Values): Promise<Called> {
  const { definition, log, signal } = call;
  const values = await checkCall(call, args);
  return doing(verbOf(call), call, values, async () => {
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
    const end = after(call, definition.release, results);
    const { validity } = definition;
    if (validity && values[validity.when] === true) {
      const caller = validity.callerOf({ ...values, ...results });
      const title = titleOf(definition, values);
      const { settings } = call.connection;
      await untilValid(caller, { title, settings, log, signal }).catch(async (error: unknown) => {
        // Nobody gets what the server has issued. It stays until it expires where that fails, too.
        await end?.().catch((reason: unknown) =>
          log("warning", `what ${title} was given is not revoked: ${messageOf(reason)}`),
        );
        throw error;
      });
    }
    const giveBack = end && (() => doing("ending", call, values, async () => void (await end())));
    return { values, results, giveBack };
  });
}

function verbOf({ definition: { verb = "calling" } }: FunctionCall): string {
  return verb;
}

/** A request about what was issued; undefined where there is nothing to ask for. */
function after({ connection }: FunctionCall, afterwards: Afterwards | undefined, results: Values) {
  const members = afterwards?.members(results);
  if (!afterwards || !members) return undefined;
  const { path, as } = afterwards;
  const token = as === undefined ? undefined : String(results[as]);
  const secrets = Object.values(members).flatMap(textsIn);
  return () => connection.ask({ method: "POST", path, members, token, secrets });
}

function leaseSeconds(reply: Reply): number {
  return reply.kind === "found" ? Number(reply.issued?.["lease_duration"] ?? 0) : 0;
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
