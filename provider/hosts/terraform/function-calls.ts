import { check } from "../../core/check";
import type { Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import { type Host, recordOf, type Said } from "./call";
import { errorDiagnostics, failureDiagnostics, warning } from "./diagnostics";
import type { FunctionTable } from "./function-table";
import type { Request } from "./protocol";
import { propertyValue } from "./recorded";
import { renamed } from "./shape";
import type { Attribute } from "./table";
import { isNullRaw, messageOf, type RawRecord, rawOf } from "./value";

/** What is issued is renewed when this part of its time is over. */
const RENEWED_AFTER = 2 / 3;
/** After a failure, it is tried again when this part of what is left is over. */
const TRIED_AGAIN_AFTER = 1 / 2;

export const validateDataResourceConfig = (host: Host, request: Request) =>
  validated(host, dataSource(host, request), request);
export const validateEphemeralResourceConfig = (host: Host, request: Request) =>
  validated(host, ephemeral(host, request), request);

/** What a server shows. */
export async function readDataSource(host: Host, request: Request): Promise<Said<object>> {
  const { session } = host;
  const table = dataSource(host, request);
  const config = recordOf(request.config) ?? {};
  const { results } = await session.within(({ signal }) =>
    session.engine().call(table.definition, argumentsIn(table, config), signal),
  );
  return { answer: { state: messageOf(recordFor(table, config, results)) } };
}

/** Has the server issue something. Terraform also asks in a plan. */
export async function openEphemeralResource(host: Host, request: Request): Promise<Said<object>> {
  const { session } = host;
  const table = ephemeral(host, request);
  const config = recordOf(request.config) ?? {};
  const held = await session.within(({ signal }) =>
    session.engine().hold(table.definition, argumentsIn(table, config), signal),
  );
  const result = messageOf(recordFor(table, config, held.results));
  return { answer: { result, private: session.leases.put(held), ...(held.renew ? renewal(held.seconds) : {}) } };
}

/**
 * A renewal that fails is no failure of the run: what was issued still lasts for a while, and is tried to be renewed until
 * it is over. Terraform asks no more after an answer without a time.
 */
export async function renewEphemeralResource({ session, tables }: Host, request: Request): Promise<Said<object>> {
  const lease = session.leases.get(request.private);
  const answer = { private: request.private };
  if (!lease?.renew) return { answer };
  try {
    const seconds = await session.within(lease.renew);
    session.leases.renewed(request.private, seconds);
    return { answer: { ...answer, ...renewal(seconds) } };
  } catch (error) {
    const [failed] = errorDiagnostics(error, tables.wording);
    const secondsLeft = ((lease.endsAt ?? 0) - Date.now()) / 1000;
    return {
      answer: { ...answer, ...renewal(secondsLeft, TRIED_AGAIN_AFTER) },
      diagnostics: [warning(failed?.detail ?? "", (text) => text)],
    };
  }
}

/** Gives back what was issued: a lease is revoked, and so is a token. */
export async function closeEphemeralResource({ session }: Host, request: Request): Promise<Said<object>> {
  await session.within(() => session.leases.end(request.private));
  return { answer: {} };
}

function dataSource({ tables }: Host, { typeName }: Request): FunctionTable {
  return found(tables.dataSources.get(typeName), `data source ${typeName}`);
}

function ephemeral({ tables }: Host, { typeName }: Request): FunctionTable {
  return found(tables.ephemerals.get(typeName), `ephemeral resource ${typeName}`);
}

function found(table: FunctionTable | undefined, what: string): FunctionTable {
  if (table) return table;
  throw new ProviderError("InputError", `this version of trustplane has no ${what}`);
}

async function validated({ tables }: Host, table: FunctionTable, { config }: Request): Promise<Said<object>> {
  // Nothing of a call is recorded, so there are no fingerprints.
  const { failures } = check({ ...table.definition, secrets: {} }, argumentsIn(table, recordOf(config) ?? {}), {});
  return { answer: {}, diagnostics: failureDiagnostics(failures, tables.wording) };
}

function argumentsIn({ inputs }: FunctionTable, config: RawRecord): Values {
  const values = inputs.map((each) => [each.property, propertyValue(each, config)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** What the program says as it says it, and what the server has answered. */
function recordFor({ definition, inputs, results }: FunctionTable, config: RawRecord, answered: Values): RawRecord {
  const encoded = ({ type, shape }: Attribute, value: unknown) => rawOf(type, renamed(shape, value, "attribute"));
  const asked = (each: Attribute) => {
    const given = config[each.name] ?? null;
    if (!isNullRaw(given) || !each.isComputed) return given;
    return encoded(each, answered[each.property] ?? definition.fields[each.property]?.fallback);
  };
  return Object.fromEntries([
    ...inputs.map((each) => [each.name, asked(each)] as const),
    ...results.map((each) => [each.name, encoded(each, answered[each.property])] as const),
  ]);
}

/** When to renew what lasts so long, as a part of that time; never, where it is not known or over. */
function renewal(seconds = 0, part = RENEWED_AFTER): object {
  if (seconds <= 1) return {};
  const at = Math.round(Date.now() + seconds * part * 1000);
  return { renewAt: { seconds: Math.floor(at / 1000), nanos: (at % 1000) * 1_000_000 } };
}
