import { assertDone, assertSafe, Violation } from "./checks.ts";
import { edit, memberOf, recordsOf, renewAll } from "./edits.ts";
import { heal } from "./heal.ts";
import type { Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { type Life, serverOf } from "./life.ts";
import { openedAll } from "./marks.ts";
import type { Disturbed, Move, Retarget } from "./moves.ts";
import { evict, meddle, occupy, squat } from "./outside.ts";
import { kindOf, placesOf } from "./owners.ts";
import type { Declaration } from "./program.ts";
import { bringBack } from "./remedies.ts";
import type { Operation } from "./run.ts";
import { type Disturbance, isProbe } from "./way.ts";

/** Makes one move, and looks at all that must hold. False where there was nothing to do. */
export async function play(life: Life, move: Move): Promise<boolean> {
  life.trace.push(JSON.stringify(move));
  const isDone = await moved(life, move);
  if (!isDone) life.trace.push("  (nothing)");
  return isDone;
}

/** A destroy can be refused for each mount. */
const ATTEMPTS = 6;

/** The end of a life: everything is brought in order, and then taken down. */
export async function finish(life: Life): Promise<void> {
  await heal(life);
  const places = life.stack.entries.filter((entry) => kindOf(entry).isForgotten === undefined);
  const own = places.flatMap((entry) => placesOf(entry, life.records));
  for (let attempt = 1; ; attempt += 1) {
    const done = await run(life, "destroy", {});
    if (done.failure === undefined) break;
    if (done.isMisled) {
      life.world.traffic.catchUp();
      continue;
    }
    const isRefused = attempt === 1 && (await evict(life));
    if (!isRefused && (attempt > ATTEMPTS || !(await bringBack(life, done.failure, heal))))
      throw new Violation("I5 recovery", `an undisturbed destroy fails: ${done.failure.message}`);
  }
  const left = own.filter((place) => life.records[place] !== undefined);
  if (left.length > 0) throw new Violation("I1 desired", `${left.join(", ")} is there after a destroy`);
}

async function moved(life: Life, move: Move): Promise<boolean> {
  const { program } = life;
  const one = "pick" in move ? program.declarations[move.pick % Math.max(1, program.declarations.length)] : undefined;
  switch (move.do) {
    case "run":
      // What a user destroys he makes again: the program stays.
      await heal(life, await run(life, move.operation, {}));
      return true;
    case "disturb":
      await run(life, move.operation, disturbanceOf(move));
      return true;
    case "kill":
      await run(life, move.operation, { nth: move.nth, dies: move.when });
      return true;
    case "double":
      return one !== undefined && double(life, one);
    case "behind": {
      const meant = one && memberOf(one, move.pick);
      return meant !== undefined && behind(life, meant, move.how);
    }
    case "rotate": {
      const configuration = pickedOf(life, move.pick, ({ kind }) => kind === "rootConfig");
      return configuration !== undefined && meddle(life, { ...configuration, kind: "rootRotation" }, "edit");
    }
    case "occupy":
      return occupied(life, move);
    case "squat": {
      const mount = pickedOf(life, move.pick, ({ kind }) => kind === "authMount" || kind === "secretsMount");
      return mount !== undefined && squat(life, mount);
    }
    case "rebuild":
      return rebuilt(life, move.data);
    case "retarget":
      return retargeted(life, move);
    case "import":
      return one !== undefined && imported(life, one);
    default:
      return edit(program, life.dead, move);
  }
}

async function run(life: Life, operation: Operation, disturbance: Disturbance) {
  const done = await life.run(operation, disturbance);
  assertSafe(life, done);
  return done;
}

function disturbanceOf({ nth, fault, health }: Disturbed): Disturbance {
  return { nth, fault, ...(health ? { health: fault } : {}) };
}

/** One of those that the server has. */
function pickedOf(life: Life, pick: number, isMeant: (one: Declaration) => boolean): Declaration | undefined {
  const all = life.program.declarations.filter((one) => isMeant(one) && hasRecord(life, one));
  return all[pick % Math.max(1, all.length)];
}

function hasRecord({ program, records }: Life, one: Declaration): boolean {
  const place = kinds[one.kind].path(program.argsOf(one), records);
  return place !== undefined && records[place] !== undefined;
}

/** The second resource that writes a record is refused; when it is gone again, the first one's record is there. */
async function double(life: Life, one: Declaration): Promise<boolean> {
  const { program, stack } = life;
  await heal(life);
  const records = recordsOf(program, one);
  if (one.kind === "rootRotation" || records.length === 0 || stack.entry(program.urnOf(one)) === undefined)
    return false;
  const second = program.add({ ...one, name: `${one.kind}-${program.fresh()}`, aliases: [], former: [] });
  const done = await run(life, "up", {});
  if (done.failure === undefined) throw new Violation("I2 others", `two resources write ${records.join(", ")}`);
  program.remove(second.number);
  await heal(life);
  return true;
}

async function behind(life: Life, one: Declaration, how: Extract<Move, { do: "behind" }>["how"]): Promise<boolean> {
  if (!hasRecord(life, one)) return false;
  const isDone = await meddle(life, one, how);
  // A mount that is gone took the server's own key along.
  if (isDone && how !== "edit") renewAll(life.program, life.dead);
  return isDone;
}

async function occupied(
  life: Life,
  { kind: kindName, mount, name }: Extract<Move, { do: "occupy" }>,
): Promise<boolean> {
  const { program, records } = life;
  const kind: Kind = kinds[kindName];
  // A name that an exclusive set may ignore, and that the program never gives.
  const names = [...(kind.names?.pool ?? []), ...(kindName === "jwtRole" ? ["legacy-one"] : [])];
  const holders = program.declarations.filter(
    (one) => one.kind === (kind.lives === "auth mount" ? "authMount" : "secretsMount"),
  );
  const paths = [
    kind.lives === "auth mount" ? "jwt" : "cloud",
    ...holders.filter((one) => hasRecord(life, one)).map((one) => one.values["path"]),
  ];
  const args = {
    ...kind.fixed(program.fresh),
    // A configuration goes with its mount, whoever wrote it; what keeps a mount are records with names.
    ...(kind.lives ? { mount: paths[kind.names ? mount % paths.length : 0] } : {}),
    ...(kind.names ? { [kind.names.arg]: names[name % names.length] } : {}),
  };
  const place = kind.path(args, records);
  if (place !== undefined && records[place] !== undefined) return false;
  const known = life.stack.entries.flatMap((entry) => placesOf(entry, records));
  if (place !== undefined && known.includes(place)) return false;
  return occupy(life, kindName, args);
}

/** The server is another one from now on: nothing is done to it before the user says that he knows. */
async function rebuilt(life: Life, data: "kept" | "lost"): Promise<boolean> {
  await heal(life);
  // Which server it is, is known of the records there; the policy service has no identity but its address.
  for (const entry of life.stack.entries) {
    const server = kindOf(entry).service === "policy" ? undefined : serverOf(entry);
    if (server !== undefined) life.formerServers.add(server);
  }
  if (data === "kept") life.world.traffic.generation += 1;
  else {
    await life.world.rebuild();
    // The cloud is new, too.
    life.dead.clear();
    life.squatters.clear();
    // Another key than the recorded one is taken for a rotated one, and stays.
    for (const one of life.program.declarations) {
      if (one.mount === "cloud") life.unused.add(String(life.program.argsOf(one)["accessKey"]));
    }
    for (const path of Object.keys(life.records)) life.drifted.add(path);
    for (const entry of life.stack.entries) {
      for (const place of placesOf(entry, life.records)) life.drifted.add(place);
    }
  }
  return true;
}

/** For one run the address leads elsewhere, after an edit: it fails, and nothing has changed anywhere. */
async function retargeted(life: Life, move: Retarget): Promise<boolean> {
  const { program, stack, world } = life;
  await heal(life);
  if (program.declarations.length === 0) return false;
  if (move.identity === "offline") return unverified(life, move);
  // What was made while the server did not say which one it is, fits any.
  if (stack.entries.some((entry) => serverOf(entry) === undefined)) return false;
  if (move.same) await seed(life);
  edit(program, life.dead, { ...move, do: "edit" });
  const before = stack.entries;
  world.reach = { ...world.reach, side: "away" };
  const health = move.identity === "known" ? {} : { health: move.identity };
  try {
    const done = await run(life, move.operation, health);
    const isAway = world.traffic.seen.some((request) => request.side === "away" && !isProbe(request));
    const left = before.filter((entry) => !stack.entries.some(({ urn, id }) => urn === entry.urn && id === entry.id));
    const lost = left.filter((entry) => kindOf(entry).isForgotten?.(openedAll(entry.outputs)) !== true);
    if (isAway && lost.length > 0) {
      throw new Violation("I6 elsewhere", `${lost.map(({ urn }) => urn).join(", ")} left the state on another server`);
    }
    if (isAway && done.failure === undefined && done.steps.some(({ verb }) => verb === "read")) {
      throw new Violation("I6 elsewhere", "records of another server were read as ours");
    }
  } finally {
    world.reach = { ...world.reach, side: "home" };
  }
  await heal(life);
  return true;
}

/** With `offline: true` the user says that nothing verifies the server, so that it has to be the right one: he is told so. */
async function unverified(life: Life, move: Retarget): Promise<boolean> {
  const { program, world } = life;
  edit(program, life.dead, { ...move, do: "edit" });
  world.reach = { ...world.reach, offline: true };
  try {
    const { said } = await run(life, move.operation, {});
    // A refresh and a destroy have the configuration of the last update.
    const isAsked = move.operation === "up" && world.traffic.seen.some(({ service }) => service === "secrets");
    if (isAsked && !said.some((text) => text.includes("nothing verifies which server"))) {
      throw new Violation("I6 elsewhere", "nobody has said that nothing verifies the server");
    }
  } finally {
    world.reach = { ...world.reach, offline: false };
  }
  await heal(life);
  return true;
}

/** The other server has records of the same names, of others. */
async function seed(life: Life): Promise<void> {
  for (const one of life.program.declarations) {
    const args = life.program.argsOf(one);
    const place = kinds[one.kind].path(args, life.world.records("away"));
    const isThere = place !== undefined && life.world.records("away")[place] !== undefined;
    if (!isThere) await occupy(life, one.kind, args, "away");
  }
}

/** The resource leaves the state, and comes back by its id alone. */
async function imported(life: Life, one: Declaration): Promise<boolean> {
  const { program, stack } = life;
  await heal(life);
  const isPossible = program.host !== "dynamic" && !["rootRotation", "roleSet", "peeringToken"].includes(one.kind);
  // Whether credentials that the server does not show are the program's, nobody can know after an import.
  const key = String(program.argsOf(one)["accessKey"]);
  if (!isPossible || life.dead.has(key) || life.unused.has(key)) return false;
  const urn = program.urnOf(one);
  const goal = program.goals().find((each) => each.urn === urn);
  const kind: Kind = kinds[one.kind];
  if (goal === undefined || program.isNamed) return false;
  stack.forget(urn);
  // What is imported is recorded as it is read: the program's marks come with the next write.
  life.hidden.delete(urn);
  await life.import(goal, kind.id(program.argsOf(one)));
  const done = await run(life, "up", {});
  if (done.failure) throw new Violation("I5 recovery", `after an import: ${done.failure.message}`);
  await assertDone(life);
  return true;
}
