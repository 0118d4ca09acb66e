import type { Entry } from "./entry.ts";
import type { RunFailed, Step } from "./pulumi.ts";
import type { Disturbance, SeenRequest } from "./way.ts";
import type { Records } from "./world.ts";

export type Operation = "up" | "up --skip-preview" | "up --refresh" | "refresh" | "destroy";

/** What a run came to, and what was there before it. */
export interface Run {
  readonly operation: Operation;
  readonly disturbance: Disturbance;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly failure: RunFailed | undefined;
  readonly wasKilled: boolean;
  /** A node has shown it what was there before a write that is not its own. */
  readonly isMisled: boolean;
  /** What it asked there. */
  readonly misledAt: readonly string[];
  /** The request that was hit. */
  readonly struck: SeenRequest | undefined;
  readonly steps: readonly Step[];
  /** Everything that was shown to somebody. */
  readonly said: readonly string[];
  /** What the preview said. */
  readonly shown: readonly string[];
}

export interface Snapshot {
  readonly home: Records;
  readonly away: Records;
  readonly entries: readonly Entry[];
}

/** What the preview has named that the program does not: whole mounts where it had no room for all. */
export function pathsShown({ shown }: Run): readonly string[] {
  const line = /jwt\.RoleSet "([^"]+)": \d+ records? \(([^)]*)\) that the program does not name (?:is|are) removed/g;
  const inTerraform = /_role_set "([^"]+)": the apply deletes \d+ records? that the set does not name: ([^.]*)\. /g;
  const found = [line, inTerraform].flatMap((each) => [...shown.join("\n").matchAll(each)]);
  return found.flatMap(([, mount, names = ""]) =>
    names.split(", ").map((name) => `auth/${mount}/role/${name === "…" ? "" : name.split("/").at(-1)}`),
  );
}

/** A record stays as a resource has left it that is gone now: who is told so refreshes. */
export function saysOverwritten({ said }: Pick<Run, "said">): boolean {
  return said.some((text) => /is not as the program says\. Run `pulumi up --refresh` once/.test(text));
}

/** What a life's trace has of it. */
export function lineOf({ operation, disturbance, failure, steps, wasKilled, isMisled, struck }: Run): string {
  const done = steps.filter(({ verb }) => verb !== "same" && verb !== "read");
  const what = done.map(({ verb, urn }) => `${verb} ${urn.split("::").slice(2).join(" ")}`).join(", ");
  const how = JSON.stringify(disturbance);
  const behind = isMisled ? " misled by a node that is behind" : "";
  const hit = struck ? ` hit ${struck.method} ${struck.url}` : "";
  const end = wasKilled ? "killed" : failure ? `failed: ${failure.step.verb} ${failure.message}` : "ok";
  return `  pulumi ${operation} ${how}${hit}${behind}: [${what}] ${end}`;
}
