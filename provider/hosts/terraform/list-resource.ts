import { isEmpty } from "../../core/canonical";
import { check } from "../../core/check";
import type { Definition, Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import { lookUpProperties } from "../../core/look-up";
import { type FoundAddress, findExisting, readFound } from "../../engine/find-records";
import { inFlight } from "../../engine/in-flight";
import { messageOf as reasonOf } from "../../engine/operation";
import { type Host, recordOf, type Said, tableOf } from "./call";
import { failureDiagnostics, warning } from "./diagnostics";
import { identityOf } from "./identity";
import type { ListTable } from "./list-table";
import { attributeName } from "./names";
import type { Request } from "./protocol";
import { propertyValue } from "./recorded";
import { stateOf } from "./state";
import { ID_ATTRIBUTE, type ResourceTable } from "./table";
import { messageOf, type RawRecord } from "./value";

/** Where the events of a list go, until Terraform wants no more. */
export interface Listing {
  emit(event: object): Promise<void>;
  readonly signal: AbortSignal;
}

/** How many records are read at once. */
const AT_ONCE = 8;

export async function validateListResourceConfig(host: Host, request: Request): Promise<Said<object>> {
  const list = listOf(host, request);
  const { failures } = check(list.call, placeIn(list, recordOf(request.config) ?? {}));
  return { answer: {}, diagnostics: failureDiagnostics(failures, host.tables.wording) };
}

/** The records at a place, in the order of the server's list. A limit of 0 is none. */
export async function listResource(host: Host, request: Request, { emit, signal }: Listing): Promise<void> {
  const [list, table] = [listOf(host, request), tableOf(host, request)];
  const { session } = host;
  const { includeResourceObject, limit } = request;
  await session.within(async (limits) => {
    const either = AbortSignal.any([signal, ...(limits.signal ? [limits.signal] : [])]);
    const engine = session.engine();
    const place = await engine.checkCall(list.call, placeIn(list, recordOf(request.config) ?? {}), either);
    const queue = [...(await findExisting(engine, table.definition, { place, signal: either }))];
    let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
    while (queue.length > 0 && left > 0 && !signal.aborted) {
      const batch = queue.splice(0, Math.min(AT_ONCE, left));
      const events = await inFlight(batch, AT_ONCE, (address) =>
        includeResourceObject ? eventWithRecord(host, table, address, either) : eventOf(table, address),
      );
      for (const event of events.filter((each) => each !== undefined)) {
        await emit(event);
        left--;
      }
    }
  });
}

function listOf({ tables }: Host, { typeName }: Request): ListTable {
  const list = tables.lists.get(typeName);
  if (list) return list;
  throw new ProviderError("InputError", `this version of trustplane cannot list ${typeName}`);
}

function placeIn({ inputs }: ListTable, config: RawRecord): Values {
  const values = inputs.map((each) => [each.property, propertyValue(each, config)] as const);
  return Object.fromEntries(values.filter(([, value]) => !isEmpty(value)));
}

async function eventOf(table: ResourceTable, { id, values }: FoundAddress): Promise<object> {
  const places = lookUpProperties(table.definition).map((name) => {
    const value = isEmpty(values[name]) ? null : values[name];
    return [attributeName(name), value] as const;
  });
  const identity = identityOf(table, { [ID_ATTRIBUTE]: id, ...Object.fromEntries(places) });
  return { identity, displayName: displayName(table.definition, { id, values }) };
}

/** Nothing for a record that was deleted meanwhile. Of one that cannot be read its identity is known all the same. */
async function eventWithRecord(
  { session, tables }: Host,
  table: ResourceTable,
  address: FoundAddress,
  signal: AbortSignal,
): Promise<object | undefined> {
  const event = await eventOf(table, address);
  try {
    const found = await readFound(session.engine(), table.definition, address, { signal });
    if (found === undefined) return undefined;
    const { record } = stateOf(table, found);
    return { ...event, identity: identityOf(table, record), resourceObject: messageOf(record) };
  } catch (error) {
    if (signal.aborted) throw error;
    // At an error Terraform drops what it has of the list.
    return { ...event, diagnostic: [warning(reasonOf(error), tables.wording)] };
  }
}

function displayName({ label }: Definition, { id, values }: FoundAddress): string {
  return isEmpty(values[label]) ? id : String(values[label]);
}
