import { isDeepStrictEqual } from "node:util";
import { isProviderError } from "../../provider/core/errors.ts";
import { formsOf } from "../support/contract-secrets.ts";
import type { Entry } from "./entry.ts";
import type { Field, Kind, Stored } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { type Life, serverOf } from "./life.ts";
import { exported, openedAll } from "./marks.ts";
import { changedPlaces, kindOf, livesIn, movedPath, ownPlaces, placesIn, placesOf, recordsIn } from "./owners.ts";
import type { Declaration, Program } from "./program.ts";
import { failuresOf, InputsRefused, type RunFailed } from "./pulumi.ts";
import { pathsShown, type Run } from "./run.ts";
import { OUTSIDE, type Records } from "./world.ts";

/** A promise that was broken. The name says which one. */
export class Violation extends Error {
  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
  }
}

/** What must hold after every run, whatever happened to it. */
export function assertSafe(life: Life, run: Run): void {
  assertOnlyOursTouched(life, run);
  // What a read answers from before an earlier write cannot be told from the truth: it is looked at again, see `heal`.
  if (!run.isMisled) assertAsked(life, run);
  assertProgramKept(life, run);
  assertNothingElsewhere(life, run);
  assertExplained(run);
  assertNothingLost(life, run);
  assertSecretsHidden(life, run);
  if (run.failure === undefined && !run.isMisled) assertStateIsTrue(life, run);
}

/** I2: nothing of others is written or deleted. */
function assertOnlyOursTouched({ program, left, squatters }: Life, run: Run): void {
  const { before, after } = run;
  const ours = new Set([
    ...left,
    ...ownPlaces(program, before.entries, before.home),
    ...ownPlaces(program, after.entries, after.home),
  ]);
  // A node that has not seen yet what another hand has just made in a mount shows the mount without it: nobody can know.
  const isHidden = (entry: Entry, place: string) =>
    run.steps.some((step) => step.verb === "delete" && step.urn === entry.urn) &&
    run.misledAt.some((url) => livesIn(place, url.replace("/v1/", "")));
  const forced = before.entries.flatMap((entry) => {
    const isForced = openedAll(entry.outputs)["force"] === true;
    return placesOf(entry, before.home).filter((place) => isForced || isHidden(entry, place));
  });
  // Another hand has moved the mount, and the state does not show it yet.
  const moved = program.declarations.flatMap((one) => {
    const args = program.argsOf(one);
    return args["force"] === true ? placesIn(kinds[one.kind], args, before.home) : [];
  });
  forced.push(...moved.filter((place) => !squatters.has(place)));
  const isForced = (path: string) => forced.some((place) => livesIn(place, path));
  const shown = pathsShown(run);
  const isShown = (path: string) => shown.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one));
  const isMoved = (path: string) =>
    before.home[path] === undefined
      ? movedPath(path, after.home, before.home) !== undefined
      : movedPath(path, before.home, after.home) !== undefined;
  const touched = changedPlaces(before.home, after.home).filter(
    (path) => !ours.has(path) && !isForced(path) && !isShown(path) && !isMoved(path),
  );
  if (touched.length > 0) throw new Violation("I2 others", `${touched.join(", ")} is not ours and was changed`);
}

/** I2: what is in no state is written over only where it is as the program says, or with a word for it. */
function assertAsked({ program, world, squatters }: Life, { before, after }: Run): void {
  if (world.variables["TRUSTPLANE_TAKE_OVER"] === "always") return;
  const recorded = new Set(before.entries.flatMap((entry) => placesOf(entry, before.home)));
  // A configuration that was blanked is nobody's.
  const isConfigured = (before.home[OUTSIDE] as Stored)?.access_key;
  const isOfOthers = (place: string) => (place === OUTSIDE ? isConfigured : squatters.has(place));
  for (const declaration of program.declarations) {
    for (const [kind, args] of recordsIn(kinds[declaration.kind], program.argsOf(declaration))) {
      const place = kind.path(args, before.home);
      const [was, is] = place === undefined ? [] : [before.home[place], after.home[place]];
      if (place === undefined || was === undefined || recorded.has(place)) continue;
      if (!isOfOthers(place) || isDeepStrictEqual(was, is)) continue;
      const unlike = differences(kind, kind === kinds[declaration.kind] ? declaration.values : args, was);
      if (unlike.length > 0) throw new Violation("I2 others", `${place} was taken without a yes: ${unlike.join("; ")}`);
    }
  }
}

/** A record that the program has is there after every run that succeeded, and one that left it is not. */
function assertProgramKept({ program }: Life, { before, after, failure, operation }: Run): void {
  if (failure !== undefined || !operation.startsWith("up")) return;
  const wanted = program.declarations.flatMap((one) => placesIn(kinds[one.kind], program.argsOf(one), after.home));
  const lost = wanted.filter((place) => before.home[place] !== undefined && after.home[place] === undefined);
  if (lost.length > 0) throw new Violation("I1 desired", `${lost.join(", ")} of the program is not there any more`);
}

/** I6: nothing happens on a server that the state does not know. */
function assertNothingElsewhere(life: Life, { before, after, steps, failure }: Run): void {
  const elsewhere = changedPlaces(before.away, after.away);
  if (elsewhere.length > 0)
    throw new Violation("I6 elsewhere", `${elsewhere.join(", ")} was changed on another server`);
  const strange = before.entries.filter((entry) => life.isOfFormer(entry));
  if (strange.length === 0 || life.world.isAcknowledged) return;
  // What was made and could not be confirmed is recorded, too.
  const begun = failure ? [...steps, failure.step] : steps;
  const isMade = (urn: string) => begun.some((step) => step.urn === urn && ["create", "replace"].includes(step.verb));
  const restamped = strange.filter((entry) => {
    const now = after.entries.find(({ urn, id }) => urn === entry.urn && id === entry.id);
    return now !== undefined && !isMade(now.urn) && serverOf(now) !== serverOf(entry);
  });
  if (restamped.length > 0) throw new Violation("I6 elsewhere", `${urnsIn(restamped)} is of another server now`);
  const known = new Set(strange.flatMap((entry) => placesOf(entry, before.home)));
  // A resource that is new to the program has no state that says where it was. One whose creation was killed has none yet.
  const { program } = life;
  const isNew = (one: Declaration) => !before.entries.some(({ urn }) => urn === program.urnOf(one));
  const made = new Set([
    ...after.entries.filter(({ urn }) => isMade(urn)).flatMap((entry) => placesOf(entry, after.home)),
    // A record may stand in the state twice, under a former name and, made on this server, under another.
    ...before.entries.filter((entry) => !strange.includes(entry)).flatMap((entry) => placesOf(entry, before.home)),
    ...program.declarations.filter(isNew).flatMap((one) => placesIn(kinds[one.kind], program.argsOf(one), after.home)),
  ]);
  const changed = changedPlaces(before.home, after.home).filter(
    (path) => known.has(path) && isOfSecrets(path) && !made.has(path),
  );
  if (changed.length > 0) throw new Violation("I6 elsewhere", `${changed.join(", ")} was changed on a rebuilt server`);
  // A set has taken over what a single resource had, or the other way round.
  const kept = new Set(after.entries.flatMap((entry) => placesOf(entry, after.home)));
  const lost = strange.filter((entry) => {
    const { id, resource } = entry;
    const kind = kindOf(entry);
    if (placesOf(entry, before.home).some((place) => kept.has(place))) return false;
    const stays = kind.isForgotten !== undefined || kind.service === "policy";
    return !stays && !after.entries.some((entry) => entry.id === id && entry.resource === resource);
  });
  if (lost.length > 0) throw new Violation("I6 elsewhere", `${urnsIn(lost)} left the state`);
}

function urnsIn(entries: readonly Entry[]): string {
  return entries.map(({ urn }) => urn).join(", ");
}

function isOfSecrets(path: string): boolean {
  return !path.startsWith("policy-sets/");
}

/** A failure says what was done to what, in one line, and is none of our own defects. */
function assertExplained({ failure, wasKilled }: Run): void {
  for (const each of wasKilled ? [] : failuresOf(failure)) assertExplains(each);
}

function assertExplains({ message, error }: RunFailed): void {
  if (error instanceof InputsRefused) return;
  const isOurs =
    /^(comparing|creating|reading|updating|replacing|deleting) ([a-z]+\.[A-Za-z]+|trustplane_[a-z_]+)|^(this plan would|the state has) /.test(
      message,
    );
  const isFine = isOurs || (isProviderError(error) && error.code === "ConfigError");
  if (!isFine) throw new Violation("I4 explained", `the failure does not say what was being done: ${message}`);
  if (/[\r\n\t]|defect|undefined|\[object/.test(message) || (isProviderError(error) && error.code === "BugError")) {
    throw new Violation("I4 explained", `the failure is a defect: ${message}`);
  }
}

/** I4: a write that was answered is recorded, whatever failed after it. */
function assertNothingLost({ program, stack }: Life, run: Run): void {
  const { before, after, failure, wasKilled, struck, steps } = run;
  if (failure === undefined || wasKilled || struck?.method !== "GET") return;
  const { verb, urn } = failure.step;
  const one = program.declarations.find((each) => program.urnOf(each) === urn);
  if (one === undefined || verb === "delete" || verb === "read") return;
  const place = kinds[one.kind].path(program.argsOf(one), after.home);
  const isWritten = place !== undefined && JSON.stringify(before.home[place]) !== JSON.stringify(after.home[place]);
  // A root key is written by its configuration, too.
  const isOfAnother = after.entries.some(
    (entry) => placesOf(entry, after.home).includes(place ?? "") && steps.some((step) => step.urn === entry.urn),
  );
  if (!isWritten || isOfAnother || after.home[place] === undefined) return;
  if ((stack.entry(urn)?.initErrors ?? []).length === 0)
    throw new Violation("I4 state", `${urn} was written and is not recorded`);
}

/** I3: what is secret is nowhere in plain. */
function assertSecretsHidden({ program, world, hidden }: Life, run: Run): void {
  const declared = program.declarations.flatMap((one) => program.secretsOf(one));
  const tokens = world.tokens();
  for (const secret of [...declared, ...tokens]) {
    const leak = run.said.find((text) => formsOf(secret).some((form) => text.includes(form)));
    if (leak !== undefined) throw new Violation("I3 secrets", `${secret} was shown: ${leak}`);
  }
  // The engine alone has no state; whether the hosts seal it is looked at on the hosts.
  if (program.host === "engine") return;
  for (const entry of run.after.entries) {
    const secrets = hidden.get(entry.urn);
    for (const part of ["inputs", "outputs"] as const) {
      const text = JSON.stringify(exported(entry[part]));
      const leak = [...(secrets?.[part] ?? []), ...tokens].find((secret) => text.includes(secret));
      if (leak !== undefined) throw new Violation("I3 secrets", `${leak} is in the ${part} of ${entry.urn}: ${text}`);
    }
  }
}

/**
 * Whether the server has given the record that is there another id than the state's one, which is gone then: a run that died has
 * deleted it, and the next one has made it under another name, or a node that was behind has shown an older one.
 */
function isAnother({ outputs }: Entry, stored: Stored): boolean {
  const { accessor, peeringId, groupId } = openedAll(outputs);
  const own = accessor ?? peeringId ?? groupId;
  return own !== undefined && ![stored.accessor, stored.ID, stored.id].includes(own);
}

/** I4: what the state says is what the server has, and what it says is gone is gone. */
function assertStateIsTrue(life: Life, { before, after, operation, steps }: Run): void {
  const gone = before.entries.filter(({ urn }) => steps.some((step) => step.verb === "gone" && step.urn === urn));
  const isThere = (place: string) =>
    before.home[place] !== undefined && !life.remade.has(place) && !life.world.isAcknowledged;
  const there = gone.filter((entry) =>
    placesOf(entry, before.home).some((place) => isThere(place) && !isAnother(entry, before.home[place])),
  );
  if (there.length > 0) throw new Violation("I4 state", `${there.map(({ urn }) => urn).join(", ")} is not gone`);
  if (operation === "destroy") return;
  for (const entry of after.entries) {
    if (life.unsettled.has(entry.urn) || life.isReborn) continue;
    for (const [kind, args] of recordsIn(kindOf(entry), openedAll(entry.outputs))) {
      const place = kind.path(args, after.home);
      if (place !== undefined && (life.drifted.has(place) || life.concealed.has(place))) continue;
      // A state of Terraform has no secrets.
      const hidden = life.program.host === "terraform" ? kind.secrets(args) : [];
      const shown = { ...kind, fields: kind.fields.filter(({ arg }) => !hidden.includes(arg)) };
      const wrong = differences(shown, args, place && after.home[place]);
      if (wrong.length > 0)
        throw new Violation("I4 state", `${entry.urn} says otherwise than the server: ${wrong.join("; ")}`);
    }
  }
}

/** I1: the server has what the program says, and nothing is left to do. */
export async function assertDone(life: Life): Promise<void> {
  life.world.traffic.catchUp();
  const { program, stack, records } = life;
  for (const declaration of program.declarations) {
    const urn = program.urnOf(declaration);
    const kind: Kind = kinds[declaration.kind];
    const args = program.argsOf(declaration);
    const wrong = recordsIn(kind, args).flatMap(([one, own]) => {
      const place = one.path(own, records);
      const isKnown = place === undefined || !life.concealed.has(place);
      return isKnown ? differences(one, one === kind ? { ...declaration.values } : own, place && records[place]) : [];
    });
    wrong.push(...credentialsProblem(life, declaration, records));
    if (wrong.length > 0) throw new Violation("I1 desired", `${urn} is not as the program says: ${wrong.join("; ")}`);
    if (stack.entry(urn) === undefined) throw new Violation("I1 desired", `${urn} is not in the state`);
  }
  const declared = program.declarations.map((one) => program.urnOf(one));
  const more = stack.entries.filter(({ urn }) => !declared.includes(urn)).map(({ urn }) => urn);
  if (more.length > 0) throw new Violation("I1 desired", `${more.join(", ")} is still in the state`);
  const steps = await life.preview();
  const pending = steps.filter(({ verb }) => verb !== "same").map(({ verb, urn }) => `${verb} ${urn}`);
  if (pending.length > 0) throw new Violation("I1 desired", `a preview still shows: ${pending.join(", ")}`);
}

/** Of the records of a resource, those that are there and not as the program says. */
export function recordsUnlike(program: Program, one: Declaration, records: Records): readonly string[] {
  const kind: Kind = kinds[one.kind];
  return recordsIn(kind, program.argsOf(one)).flatMap(([each, args]) => {
    const place = each.path(args, records);
    if (place === undefined || records[place] === undefined) return [];
    return differences(each, each === kind ? one.values : args, records[place]).length > 0 ? [place] : [];
  });
}

/** What a record has otherwise than these values say. */
function differences(kind: Kind, values: Readonly<Record<string, unknown>>, record: unknown): string[] {
  if (record === undefined) return ["the server does not have it"];
  return kind.fields.flatMap((field) => difference(field, values, record as Stored));
}

function difference(field: Field, values: Readonly<Record<string, unknown>>, record: Stored): string[] {
  const { arg, at, as, in: from } = field;
  if (at === undefined || as === undefined) return [];
  const [has, says] = [at(record), as(from && !(arg in values) ? from(values) : values[arg])];
  return isDeepStrictEqual(has, says) ? [] : [`${arg} is ${JSON.stringify(has)}, not ${JSON.stringify(says)}`];
}

/** Root credentials are the program's until the server rotates them; those that are dead are never written again. */
function credentialsProblem({ program, dead, unused }: Life, declaration: Declaration, records: Records): string[] {
  if (declaration.kind !== "rootConfig") return [];
  const { mount, accessKey, secretKey } = program.argsOf(declaration);
  const record: Stored = records[`${String(mount)}/config/root`];
  if (dead.has(record?.access_key)) return [`${record.access_key} was rotated away, and the server has it again`];
  if (!record?.access_key) return ["the server has no credentials any more"];
  const isKept = dead.has(String(accessKey)) || unused.has(String(accessKey));
  if (declaration.values["rotatedByServer"] === true || isKept) return [];
  const isRight = record.access_key === accessKey && record.secret_key === secretKey;
  return isRight ? [] : [`the server has the access key ${record.access_key}, not ${String(accessKey)}`];
}
