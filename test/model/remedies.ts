import { edit, nameFormer, renewAll } from "./edits.ts";
import type { Entry } from "./entry.ts";
import type { Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import type { Life } from "./life.ts";
import { type Marked, openedAll } from "./marks.ts";
import { evict, meddle } from "./outside.ts";
import { kindOf, placesIn, placesOf, recordsIn } from "./owners.ts";
import { type Declaration, nameIn, type Program } from "./program.ts";
import type { RunFailed } from "./pulumi.ts";
import { rolesIn } from "./role-set.ts";
import { entryElsewhere, inTheWay, newPlaces, othersOf, sayName, sayWhoseKey, takeOver } from "./taken-over.ts";
import { pathTaken } from "./taken-path.ts";

/** Runs the program until it is done, after what the messages ask for. */
type Settle = (life: Life) => Promise<void>;

/** What a message may ask the user to do, where it is right to ask. Answers whether it was done. */
export interface Remedy {
  readonly says: RegExp;
  /** When the message is right. */
  when(life: Life, failure: RunFailed): boolean;
  apply(life: Life, failure: RunFailed, settle: Settle): Promise<unknown> | unknown;
  /** Refreshes from then on. */
  readonly refreshes?: boolean;
}

const FORGOTTEN = /the API cannot delete it alone/;

export const REMEDIES: readonly Remedy[] = [
  {
    // The mount has another root key than the program: the user knows whether it came from a rotation of his own.
    says: /set `rotated(ByServer|_by_server): true` to keep it, or `rotated\w+: false` for this update only/,
    when: ({ program }) => program.declarations.some(({ kind }) => kind === "rootConfig"),
    apply: sayWhoseKey,
  },
  {
    says: /refresh once with TRUSTPLANE_REBUILT=\S+ in the environment/,
    when: ({ isReborn }) => isReborn,
    apply({ world }, { message }) {
      const [, name = ""] = /TRUSTPLANE_REBUILT=([\w:./-]+)/.exec(message) ?? [];
      const { TRUSTPLANE_REBUILT: before } = world.variables;
      const names = before === undefined ? name : `${before},${name}`;
      world.variables = { ...world.variables, TRUSTPLANE_REBUILT: names };
    },
    refreshes: true,
  },
  {
    // What another hand has made anew, or a rebuilt server has, is not made anew once more: the user removes it, as the message says.
    says: /Choose another \w+, or remove what is there/,
    when: (life, failure) => inTheWay(life, failure) !== undefined,
    async apply(life, failure) {
      const one = inTheWay(life, failure);
      if (one) await meddle(life, one, "delete");
      renewAll(life.program, life.dead);
    },
  },
  {
    // Others live in our mount, or have a record of our name that is not to be had.
    says: /Delete (it|them) first|Choose another \w+, or remove what is there|already in use|already been taken/,
    when: ({ squatters }) => squatters.size > 0,
    apply: evict,
  },
  {
    // Under its new name the resource finds its own mount, of another kind, in the way.
    says: /Delete them first|already in use/,
    when: ({ program }) => program.declarations.some(({ former }) => former.length > 0),
    apply: ({ program }) => nameFormer(program),
  },
  {
    says: /is still to be moved to [^.]*\. Let this resource depend on that one, or run again|If this program moves it as well, let this resource depend on it/,
    when: ({ program }) =>
      program.declarations.filter(({ kind }) => kind === "authMount" || kind === "secretsMount").length > 1,
    apply: () => {},
  },
  {
    // The stack has what cannot be taken over under a name of which the program does not tell.
    says: /or remove what is there[^.]*\. If this (stack|state) has it under another name, say that in (`aliases`|a `moved` block)/,
    when: (life, failure) => entryElsewhere(life, failure) !== undefined,
    apply: sayName,
  },
  {
    // Pulumi looks at no alias of a resource whose new name the state has, too, so that its own mount is in the way.
    says: /Choose another \w+, or remove what is there/,
    when: (life, failure) => pathTaken(life, failure) !== undefined,
    apply(life, failure) {
      const { number } = pathTaken(life, failure) ?? {};
      const pick = life.program.declarations.findIndex((one) => one.number === number);
      for (const name of [0, 1, 2])
        if (pathTaken(life, failure)) edit(life.program, life.dead, { do: "identity", pick, name });
    },
  },
  {
    // A run that failed has left two names of one mount, and now both go with what lives in it. Pulumi deletes the older
    // name beside those records, so that the next run succeeds; here, where one step follows the other, the user drops it.
    says: /Delete them first/,
    when: (life) => olderNames(life).length > 0,
    apply(life) {
      for (const urn of olderNames(life)) life.stack.forget(urn);
    },
  },
  {
    // A plan of Terraform deletes nothing that the program has beside an exclusive set: the set says that it is not its own.
    says: /which an exclusive set does not name, .* Name it in `ignore` of the set/,
    when: ({ program }, failure) => exclusiveBeside(program, failure).length > 0,
    apply({ program }, failure) {
      for (const { number, values } of exclusiveBeside(program, failure)) {
        const ignore = [...((values["ignore"] ?? []) as string[]), recordIn(failure).name];
        program.change(number, { values: { ...values, ignore } });
      }
    },
  },
  {
    says: /Say in a `moved` block that the address has changed/,
    when: (life, failure) => addressesOf(life, failure) !== undefined,
    apply(life, failure) {
      const { one, old } = addressesOf(life, failure) ?? {};
      if (one && old) life.program.change(one.number, { aliases: [...one.aliases, nameIn(old.urn)], former: [] });
    },
  },
  {
    // A run that failed has left a record with two addresses.
    says: /twice, and this plan would delete .* with `terraform state rm`/,
    when: (life, failure) => addressTooMany(life, failure) !== undefined,
    apply(life, failure) {
      life.stack.forget(addressTooMany(life, failure)?.urn ?? "");
    },
  },
  {
    // The user has seen in the preview what goes.
    says: /raise `max(Deletes|_deletes)`/,
    when: ({ program }) => program.declarations.some(({ values }) => typeof values["maxDeletes"] === "number"),
    apply({ program }) {
      for (const { number, values } of program.declarations)
        program.change(number, { values: { ...values, maxDeletes: undefined } });
    },
  },
  {
    // The apply of a saved plan knows nothing of what it is still to delete: a creation in its place may come before that.
    says: /it exists already with other content: /,
    when(life, failure) {
      const places = newPlaces(life, failure);
      const hasLeft = places.length > 0 && places.every((place) => life.records[place] === undefined);
      return life.program.host === "terraform" && hasLeft;
    },
    apply: () => {},
  },
  {
    // What no state has may be somebody else's: the user has seen what differs.
    says: /it exists already with other content: .* TRUSTPLANE_TAKE_OVER=always for one run/,
    when: (life, failure) => othersOf(life, failure).length > 0,
    apply: takeOver,
  },
  {
    // Only the user knows whether it is his own secret, which a run that was killed has written.
    says: /it exists already, and no server shows .* TRUSTPLANE_TAKE_OVER=always for one run/,
    when: (life, failure) => newPlaces(life, failure).length > 0 || life.world.isAcknowledged,
    apply: takeOver,
  },
  {
    // The configuration was forgotten on purpose, and its mount is to go now.
    says: FORGOTTEN,
    when: (life, failure) => keptBack(life, failure)?.isDeclared === false,
    apply: force,
  },
  {
    says: /pulumi up --refresh|terraform apply/,
    when: ({ drifted }) => drifted.size > 0,
    apply: () => {},
    refreshes: true,
  },
];

/** Of a mount that a plan of Terraform would destroy and make anew: who is to have it, and who has it. */
function addressesOf({ program, stack }: Life, { message }: RunFailed) {
  const [, id] = /`terraform state list -id='([^']+)'` shows the old address/.exec(message) ?? [];
  const isIt = (each: Declaration) => kinds[each.kind].id(program.argsOf(each)) === id;
  const one = program.declarations.find(isIt);
  const old = stack.entries.find((entry) => entry.id === id);
  return one && old && { one, old };
}

/** Of two addresses that have a record, the one that the program has for it no more. */
function addressTooMany({ program, stack }: Life, { message }: RunFailed): Entry | undefined {
  const [, id = ""] = /^the state has [^(]*\(([^)]+)\) twice/.exec(message) ?? [];
  const idsIn = (kind: Kind, args: Marked) => recordsIn(kind, args).map(([each, own]) => each.id(own));
  const isWanted = ({ urn }: Entry) =>
    program.declarations.some(
      (one) => program.urnsOf(one).includes(urn) && idsIn(kinds[one.kind], program.argsOf(one)).includes(id),
    );
  const having = stack.entries.filter((each) =>
    [each.id, ...idsIn(kindOf(each), openedAll(each.outputs))].includes(id),
  );
  return having.find((entry) => !isWanted(entry));
}

/** The role that a refused plan would delete. */
function recordIn({ message }: RunFailed): { mount: string; name: string } {
  const [, mount = "", name = ""] = /\(auth\/([^/)]+)\/role\/([^/)]+)\)/.exec(message) ?? [];
  return { mount, name };
}

function exclusiveBeside(program: Program, failure: RunFailed): readonly Declaration[] {
  const { mount, name } = recordIn(failure);
  return program.declarations.filter((one) => {
    const isExclusive = one.kind === "roleSet" && one.values["exclusive"] === true;
    return isExclusive && program.argsOf(one)["mount"] === mount && !(name in rolesIn(one.values));
  });
}

/** A delete that a configuration keeps back, and whether the program has that; undefined where the stack never had it. */
function keptBack({ stack, program, records, left }: Life, { step }: RunFailed) {
  const mount = stack.entry(step.urn);
  const path = String(mount && openedAll(mount.outputs)["path"]);
  const place = mount?.resource === "sysAuthMount" ? `auth/${path}/config` : `${path}/config/root`;
  const isRecorded = stack.entries.some((entry) => placesOf(entry, records).includes(place));
  if (mount === undefined || isRecorded || !left.has(place) || records[place] === undefined) return undefined;
  const isDeclared = program.declarations.some((one) =>
    placesIn(kinds[one.kind], program.argsOf(one), records).includes(place),
  );
  return { mount, isDeclared };
}

/**
 * What a refused delete of a mount asks for: the program takes its forgotten configuration back, or the mount is updated with
 * `force`. A mount that the program has no more comes back for that, and goes then. Answers whether it was asked for.
 */
export async function bringBack(life: Life, failure: RunFailed, settle: Settle): Promise<boolean> {
  const kept = FORGOTTEN.test(failure.message) ? keptBack(life, failure) : undefined;
  if (kept === undefined) return false;
  await (kept.isDeclared ? settle(life) : force(life, failure, settle));
  return true;
}

async function force(life: Life, failure: RunFailed, settle: Settle): Promise<void> {
  const { program } = life;
  const { mount } = keptBack(life, failure) ?? {};
  if (mount === undefined) return;
  const declared = program.declarations.find((one) => program.urnsOf(one).includes(mount.urn));
  const wanted = program.declarations;
  const kindName = mount.resource === "sysAuthMount" ? "authMount" : "secretsMount";
  const args = ["path", ...kinds[kindName].fields.map(({ arg }) => arg)];
  const recorded = Object.entries(openedAll(mount.inputs)).filter(([arg]) => args.includes(arg));
  const values = { ...Object.fromEntries(recorded), force: true };
  const { instance } = mount;
  if (declared) program.change(declared.number, { values });
  else program.bringBack({ ...nameIn(mount.urn), kind: kindName, values, instance });
  await settle(life);
  program.declarations = wanted.map((one) =>
    one === declared ? { ...one, values: { ...one.values, force: true } } : one,
  );
}

/** The URNs of entries whose record another entry has, too. */
function olderNames({ stack: { entries } }: Life): readonly string[] {
  return entries.flatMap(({ id, urn }, index) => (entries.findIndex((each) => each.id === id) < index ? [urn] : []));
}
