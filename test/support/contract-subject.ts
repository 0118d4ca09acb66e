import { isEmpty } from "../../provider/core/canonical.ts";
import type { Values } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import {
  addressOf,
  type Ground,
  type Patch,
  type Place,
  patched,
  patchFrom,
  type ResourceCase,
  serviceOf,
} from "./contract-case.ts";
import type { HostName, ResourceName } from "./contract-host.ts";
import { createStack, type Stack } from "./contract-stack.ts";
import { type ConnectionSettings, openWorld, type World } from "./contract-world.ts";

/** One resource on one host, ready to be created. */
export interface Subject {
  readonly world: World;
  readonly ground: Ground;
  readonly stack: Stack;
  /** The record as the server keeps it, without what differs from server to server; that of the last state by default. */
  stored(state?: Values): Promise<unknown>;
  /** What the server keeps when another record is created with these arguments at once. */
  storedAlone(args: Values): Promise<unknown>;
  /** The arguments with a patch over them. */
  with(args: Values, ...patches: (Patch | undefined)[]): Promise<Values>;
  /** Goes on in a new process. */
  restart(settings?: ConnectionSettings): void;
  /** Values of the last known state: what is where, also after it is gone. */
  known(): Values;
}

export interface SubjectOptions {
  readonly resource: ResourceName;
  readonly host: HostName;
  readonly of: ResourceCase;
  readonly world?: World;
  readonly settings?: ConnectionSettings;
}

export async function openSubject({ resource, host, of, settings, ...more }: SubjectOptions): Promise<Subject> {
  const world = more.world ?? (await openWorld());
  const ground = await of.prepare(world);
  const stack = createStack(world.host(host, resource, settings));
  let last: Values = ground.full;
  const known = () => {
    last = stack.entry()?.outputs ?? last;
    return last;
  };
  const stored = async (state = known()) => {
    const where = ground.record(state);
    const places: readonly Place[] = typeof where === "string" ? [[serviceOf(resource), where]] : where;
    const records = await Promise.all(places.map(([service, path]) => world.servers.stored(service, path)));
    const there = records.filter((record) => record !== undefined);
    return there.length === 0
      ? undefined
      : there.map((record) => comparable(record, of.volatile ?? [], of.keepsEmptiness));
  };
  return {
    world,
    ground,
    stack,
    known,
    stored,
    async storedAlone(args) {
      const other = await openSubject({ resource, host, of, world });
      const own = [...addressOf(resource), ...(of.own ?? [])];
      const names = own.map((path) => ownOf(path, args, other.ground.full));
      await other.stack.up(patched(args, Object.assign({}, ...names)));
      return other.stored();
    },
    async with(args, ...patches) {
      let result = args;
      for (const patch of patches) result = patched(result, await patchFrom(patch ?? {}, world, ground));
      return result;
    },
    restart: (next) => stack.restart(world.host(host, resource, next ?? settings)),
  };
}

/** The other record's value of a property, or of a member where the record has one. */
function ownOf(path: string, args: Values, others: Values): Values {
  const [name = "", member] = path.split(".");
  if (member === undefined) return { [name]: others[name] };
  return isRecord(args[name]) ? { [name]: { ...args[name], [member]: Object(others[name])[member] } } : {};
}

/** What counts of a record. */
function comparable(record: unknown, volatile: readonly string[], keepsEmptiness = false): unknown {
  if (typeof record !== "object" || record === null) return record;
  const members = Object.entries(record).filter(([member]) => !volatile.includes(member));
  const inside = (member: string) =>
    volatile.flatMap((path) => (path.startsWith(`${member}.`) ? [path.slice(member.length + 1)] : []));
  return Object.fromEntries(
    members.map(([member, value]) => {
      const within = inside(member);
      const isNothing = keepsEmptiness && typeof value === "object" && isEmpty(value);
      return [member, isNothing ? null : within.length === 0 ? value : comparable(value, within, keepsEmptiness)];
    }),
  );
}
