import { hasResource } from "../support/contract-host.ts";
import type { Field, Kind } from "./kind.ts";
import { type KindName, kinds } from "./kinds.ts";
import type { Move } from "./moves.ts";
import { placesIn } from "./owners.ts";
import type { Declaration, Name, Program } from "./program.ts";
import { rolesIn } from "./role-set.ts";

/** What is mounted from the start. */
const HOMES = { "auth mount": "jwt", "secrets mount": "cloud" } as const;

/** What a mount has for its whole life. */
export const FIXED = ["type", "forceNoCache"];

/** Changes what the user has written. False where it cannot be done to this program, which is then as it was. */
export function edit(program: Program, dead: ReadonlySet<string>, move: Move): boolean {
  const { declarations, host, moved } = program;
  const isDone = editOf(program, dead, move);
  if (isDone && isSound(program)) return true;
  Object.assign(program, { declarations, host, moved });
  return false;
}

function editOf(program: Program, dead: ReadonlySet<string>, move: Move): boolean {
  const one = "pick" in move ? picked(program, move.pick) : undefined;
  if (move.do === "add") return added(program, move);
  if (move.do === "host") return switched(program);
  if (move.do === "undo") {
    if (program.moved !== undefined || program.settled === program.declarations) return false;
    const keys = new Map(program.declarations.map((one) => [one.number, program.argsOf(one)["accessKey"]]));
    program.declarations = program.settled;
    // Nobody can know that a key was rotated away before the last one: who goes back to an older one gives one that works.
    for (const each of program.settled)
      if (program.argsOf(each)["accessKey"] !== keys.get(each.number)) renew(program, dead, each.number);
    return true;
  }
  if (move.do === "connection") {
    program.isNamed = !program.isNamed;
    return true;
  }
  if (one === undefined) return false;
  const kind: Kind = kinds[one.kind];
  const { number } = one;
  switch (move.do) {
    case "edit":
    case "unset": {
      const field = kind.fields[move.field % kind.fields.length];
      if (field === undefined) return false;
      const value = field.value(move.do === "edit" ? move.value : 0, program.fresh);
      program.change(number, { values: { ...one.values, [field.arg]: value } });
      // A mount that is made anew has no key any more but the program's, which must be one that still works.
      if (FIXED.includes(field.arg)) renewCredentials(program, dead, number);
      return true;
    }
    case "mark":
      return marked(program, one, move);
    case "rename": {
      const instance = move.alias ? one.instance : (move.instance ?? one.instance);
      const isDone = named(program, one, { ...one, name: `${one.kind}-${program.fresh()}` }, move.alias);
      if (isDone) program.change(number, { instance });
      return isDone;
    }
    case "move": {
      const component = one.component === undefined ? `part-${program.fresh()}` : undefined;
      return named(program, one, { ...one, component }, move.alias);
    }
    case "identity": {
      if (kind.names === undefined) return false;
      const { arg, pool } = kind.names;
      program.change(number, { values: { ...one.values, [arg]: pool[move.name % pool.length] } });
      renewCredentials(program, dead, number);
      return true;
    }
    case "remount": {
      const mount = mountFor(program, kind, move.mount);
      if (mount === undefined) return false;
      // What it needs stands before it.
      program.declarations = [...program.declarations.filter((each) => each.number !== number), { ...one, mount }];
      if (one.kind === "rootConfig") renew(program, dead, number);
      return true;
    }
    case "group":
      return grouped(program, one, move.member);
    case "remove":
      program.remove(number);
      dropWithoutCredentials(program);
      return true;
    default:
      return false;
  }
}

/** The records that two resources must not both write. */
export function recordsOf(program: Program, declaration: Declaration): readonly string[] {
  const { kind } = declaration;
  const args = program.argsOf(declaration);
  if (kind === "roleSet") return placesIn(kinds[kind], args, {});
  // A rotation is an act on the record, which its configuration writes.
  const path = kind === "parameter" ? String(args["key"]) : String(kinds[kind].path(args, {}));
  return [`${kind === "rootRotation" ? "rotation of " : ""}${path}`];
}

function added(program: Program, move: Extract<Move, { do: "add" }>): boolean {
  const { kind: kindName, mount: where, name, value, instance = 0 } = move;
  if (program.host === "terraform" && !hasResource("terraform", kinds[kindName].resource)) return false;
  const kind: Kind = kinds[kindName];
  const values = kind.fields.map(
    (field: Field, index) => [field.arg, field.value(value + index, program.fresh)] as const,
  );
  const own = kind.names ? { [kind.names.arg]: kind.names.pool[name % kind.names.pool.length] } : {};
  program.add({
    kind: kindName,
    name: `${kindName}-${program.fresh()}`,
    component: undefined,
    values: { ...Object.fromEntries(values), ...own },
    mount: mountFor(program, kind, where),
    instance,
    marks: [],
    aliases: [],
    former: [],
  });
  return true;
}

function mountFor(program: Program, { lives }: Kind, choice: number): Declaration["mount"] {
  if (lives === undefined) return undefined;
  const holder: KindName = lives === "auth mount" ? "authMount" : "secretsMount";
  const declared = program.declarations.filter(({ kind }) => kind === holder).map(({ number }) => number);
  const all = [HOMES[lives], ...declared];
  return all[choice % all.length];
}

function picked({ declarations }: Program, pick: number): Declaration | undefined {
  return declarations[pick % Math.max(1, declarations.length)];
}

/** A single role goes into a set of its mount, with its settings; a role of a set becomes a single one. */
function grouped(program: Program, one: Declaration, pick: number): boolean {
  const { kind, number, mount, instance } = one;
  if (kind !== "jwtRole" && kind !== "roleSet") return false;
  const fresh = { component: undefined, mount, instance, marks: [], aliases: [], former: [] };
  if (kind === "roleSet") {
    const member = memberOf(one, pick);
    if (member === undefined) return false;
    const { [String(member.values["name"])]: _, ...roles } = rolesIn(one.values);
    program.change(number, { values: { ...one.values, roles } });
    program.add({ ...fresh, kind: "jwtRole", name: `jwtRole-${program.fresh()}`, values: member.values });
    return true;
  }
  const { name, ...settings } = one.values;
  const sets = program.declarations.filter((each) => each.kind === "roleSet" && each.mount === mount);
  const set = sets[pick % Math.max(1, sets.length)];
  const roles = { ...rolesIn(set?.values ?? {}), [String(name)]: settings };
  program.remove(number);
  if (set) program.change(set.number, { values: { ...set.values, roles } });
  else program.add({ ...fresh, kind: "roleSet", name: `roleSet-${program.fresh()}`, values: { roles } });
  return true;
}

/** One record of a set, as a resource of its own would declare it; any other resource is itself. */
export function memberOf(one: Declaration, pick: number): Declaration | undefined {
  if (one.kind !== "roleSet") return one;
  const roles = Object.entries(rolesIn(one.values));
  const [name, settings] = roles[pick % Math.max(1, roles.length)] ?? [];
  return name === undefined ? undefined : { ...one, kind: "jwtRole", values: { ...settings, name } };
}

/** Aliases of names and the class's own alias of the other host do not add up: one at a time. */
function named(program: Program, one: Declaration, { name, component }: Name, alias: boolean): boolean {
  if (program.moved === "host") return false;
  program.moved = "names";
  const last = { name: one.name, component: one.component };
  const names = [...one.aliases, last];
  program.change(one.number, {
    name,
    component,
    ...(alias ? { aliases: names } : { aliases: [], former: [...one.former, ...names] }),
  });
  return true;
}

function switched(program: Program): boolean {
  if (["engine", "terraform"].includes(program.host) || program.moved === "names") return false;
  program.moved = "host";
  program.host = program.host === "dynamic" ? "plugin" : "dynamic";
  return true;
}

function marked(program: Program, one: Declaration, { field: at, keeps }: Extract<Move, { do: "mark" }>): boolean {
  const fields = (kinds[one.kind] as Kind).fields.filter(({ markable }) => markable !== undefined);
  const field = fields[at % Math.max(1, fields.length)];
  // What is secret for the program alone stands in a state of Terraform all the same.
  if (field === undefined || program.host === "terraform") {
    if (one.kind !== "parameter") return false;
    program.change(one.number, { values: { ...one.values, sensitive: one.values["sensitive"] ? undefined : true } });
    return true;
  }
  const marks = one.marks.includes(field.arg)
    ? one.marks.filter((arg) => arg !== field.arg)
    : [...one.marks, field.arg];
  const value = keeps ? one.values[field.arg] : field.value(2, program.fresh);
  program.change(one.number, { marks, values: { ...one.values, [field.arg]: value } });
  return true;
}

function renewCredentials(program: Program, dead: ReadonlySet<string>, mount: number): void {
  for (const each of program.declarations) {
    if (each.mount === mount && each.kind === "rootConfig") renew(program, dead, each.number);
  }
}

export function renew(program: Program, dead: ReadonlySet<string>, number: number): void {
  const one = program.byNumber(number);
  if (one === undefined || !dead.has(String(program.argsOf(one)["accessKey"]))) return;
  program.change(number, { values: { ...one.values, credentials: program.fresh() } });
}

/** All dead credentials of the program, after a loss that takes the server's own along. */
export function renewAll(program: Program, dead: ReadonlySet<string>): void {
  for (const { number, kind } of program.declarations) if (kind === "rootConfig") renew(program, dead, number);
}

/** The program names what its resources were called before, as Pulumi's own documentation asks for. */
export function nameFormer(program: Program): void {
  for (const { number, aliases, former } of program.declarations)
    program.change(number, { aliases: [...aliases, ...former], former: [] });
}

/** What works at the cloud goes with the configuration of its mount. */
function dropWithoutCredentials(program: Program): void {
  program.declarations = program.declarations.filter((one) => hasCredentials(program, one));
}

function hasCredentials({ declarations }: Program, { kind, mount, number }: Declaration): boolean {
  if (kind !== "rootRotation" && kind !== "staticRole") return true;
  const before = declarations.slice(
    0,
    declarations.findIndex((one) => one.number === number),
  );
  return before.some((one) => one.kind === "rootConfig" && one.mount === mount && one.values["onDelete"] !== "blank");
}

/** A program that a server can have: no record twice, everything after what it needs. */
function isSound(program: Program): boolean {
  const { declarations } = program;
  const records = declarations.flatMap((one) => recordsOf(program, one));
  if (new Set(records).size < records.length || declarations.length > 9) return false;
  const changesHands = (one: Declaration) =>
    recordsOf(program, one).some((record) => (program.owners.get(record) ?? one.number) !== one.number);
  // Each host is a process of its own, which knows nothing of what the other one has written: one at a time here, too.
  if (program.moved === "host" && declarations.some(changesHands)) return false;
  // The API refuses a key that another parameter still has: such a change takes two runs.
  if (declarations.some((one) => one.kind === "parameter" && changesHands(one))) return false;
  // A mount that cannot become what the program says is not taken over: it goes with the resource that had it, and the
  // next run makes the new one.
  const before = (one: Declaration) =>
    program.settled.find(({ number }) => number === program.owners.get(recordsOf(program, one)[0] ?? ""));
  const isMount = ({ kind }: Declaration) => kind === "authMount" || kind === "secretsMount";
  const changes = (one: Declaration) => FIXED.some((arg) => before(one)?.values[arg] !== one.values[arg]);
  if (declarations.some((one) => isMount(one) && changesHands(one) && changes(one))) return false;
  return declarations.every((one, index) => {
    const isThere =
      typeof one.mount !== "number" || declarations.slice(0, index).some(({ number }) => number === one.mount);
    return isThere && hasCredentials(program, one);
  });
}
