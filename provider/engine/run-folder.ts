import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { lazily } from "../core/lazily";
import { cliProcess, isDestroying, isOfSavedPlan, isPartial, isSavingPlan, isTesting } from "./cli-process";
import { digest } from "./digest";
import {
  ALONE,
  createNotes,
  endsWithPlan,
  endsWithProcess,
  isOfOneRun,
  type Journal,
  type JournalEntry,
  type Notes,
} from "./journal";
import { ownFolder } from "./own-folder";

// The folder of a command has a file of each provider process that works for it. A line is an entry and the hashes of records;
// the first one says the process's phase. Nothing in it is secret, and nobody else can read it.

/** What is left of a command that was killed goes with the next one, or after a day. */
const OLDEST_MS = 24 * 60 * 60 * 1000;

/** What another process has written so far. */
interface Other {
  readonly pid: number;
  readonly path: string;
  phase: string;
  read: number;
  readonly notes: Notes;
  /** It has written to servers: it was no preview. */
  hasWritten: boolean;
}

/**
 * The journal of the command that this process works for. `engine` is the address of Pulumi's engine, which is another one
 * for the preview and for the update; Terraform has none. A process that cannot have a folder is alone.
 */
export function openJournal(engine?: string): Journal {
  const parent = process.ppid;
  // A start is felt at every command: the processes and the folder are looked for when there is something to tell.
  const opened = lazily(() => journalOf(engine, process.env, parent));
  return {
    note: (entry, keys) => opened().note(entry, keys),
    told: (keys) => opened().told(keys),
    sight: () => opened().sight(),
    isPlanSaved: () => opened().isPlanSaved(),
    reachesApply: () => opened().reachesApply(),
    isDestroying: () => opened().isDestroying(),
  };
}

function journalOf(engine: string | undefined, env: NodeJS.ProcessEnv, parent: number): Journal {
  const base = ownFolder("runs", env);
  if (base === undefined) return ALONE;
  const cli = cliProcess(parent);
  const folder = join(base, `${cli.pid}-${digest(cli.key)}`);
  const own = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const phase = digest(engine ?? own);
  const others = new Map<string, Other>();
  // Terraform has one run, in which each process is a phase: what becomes of a mount holds for all of them.
  const endsWithPhase = (entry: JournalEntry) => (engine === undefined ? entry === "has" : isOfOneRun(entry));
  let hasBegun = false;
  let hasWritten = false;

  function append(line: string): void {
    try {
      if (!hasBegun) {
        sweep(base ?? "", folder);
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(join(folder, own), `phase ${phase}\n`, { mode: 0o600 });
        process.once("exit", end);
        hasBegun = true;
      }
      appendFileSync(join(folder, own), line);
    } catch {
      // A full disk, or a folder that somebody has removed: the others are not told.
    }
  }

  /**
   * The last process of an update removes the folder. Terraform starts and ends its providers as it needs them, so that
   * nobody knows which one is the last: its folder goes with the next command.
   */
  function end(): void {
    const isLast = () => namesIn(folder).every((name) => name === own || !isAlive(Number.parseInt(name, 10)));
    if (engine !== undefined && hasWritten && isLast()) rmSync(folder, { recursive: true, force: true });
  }

  function lookAround(): void {
    for (const name of namesIn(folder)) {
      if (name === own) continue;
      const other = others.get(name) ?? {
        pid: Number.parseInt(name, 10),
        path: join(folder, name),
        phase: "",
        read: 0,
        notes: createNotes(),
        hasWritten: false,
      };
      others.set(name, other);
      readOn(other);
    }
  }

  return {
    note(entry, keys) {
      if (entry === "wrote" || entry === "deleting") hasWritten = true;
      append(`${entry} ${keys.map(digest).join(" ")}\n`);
    },
    told(keys) {
      const isTest = engine === undefined && isTesting(cli.words ?? []);
      lookAround();
      const hashes = keys.map(digest);
      const told = new Set<JournalEntry>();
      const isPlan = !hasWritten && ![...others.values()].some((other) => other.hasWritten);
      for (const other of others.values()) {
        for (const entry of other.notes.of(hashes)) {
          if (endsWithPhase(entry) && other.phase !== phase) continue;
          if (endsWithPlan(entry) && !isPlan) continue;
          const isOver = endsWithProcess(entry) || (isTest && (entry === "wrote" || entry === "gone"));
          if (isOver && !isAlive(other.pid)) continue;
          told.add(entry);
        }
      }
      return told;
    },
    sight() {
      if (cli.words === undefined) return "unknown";
      if (isPartial(cli.words, env)) return "part";
      if (engine === undefined && isOfSavedPlan(cli.words)) return "saved";
      lookAround();
      const before = [...others.values()].filter((other) => other.phase !== phase && other.phase !== "");
      return before.length > 0 && !before.some((other) => other.hasWritten) ? "whole" : "none";
    },
    reachesApply: () => engine === undefined && cli.words !== undefined && !isSavingPlan(cli.words, env),
    isPlanSaved: () => engine === undefined && cli.words !== undefined && isSavingPlan(cli.words, env),
    isDestroying: () => engine === undefined && cli.words !== undefined && isDestroying(cli.words, env),
  };
}

function readOn(other: Other): void {
  let text: string;
  try {
    if (statSync(other.path).size === other.read) return;
    text = readFileSync(other.path, "latin1").slice(other.read);
  } catch {
    return;
  }
  // The other process may be in the middle of a line.
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  other.read += whole.length;
  for (const line of whole.split("\n")) {
    const [entry = "", ...hashes] = line.split(" ");
    if (entry === "phase") other.phase = hashes[0] ?? "";
    if (entry === "wrote" || entry === "deleting") other.hasWritten = true;
    // What is not known is an entry of a later version: nobody asks for it.
    other.notes.note(entry as JournalEntry, hashes);
  }
}

function sweep(base: string, current: string): void {
  for (const name of namesIn(base)) {
    const folder = join(base, name);
    if (folder === current) continue;
    const isOld = () => Date.now() - statSync(folder).mtimeMs > OLDEST_MS;
    try {
      if (!isAlive(Number.parseInt(name, 10)) || isOld()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process has swept it.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
