import { goQuoted } from "../framework/go-quoted";
import { Refusal } from "../framework/refusal";
import type { MountKind } from "../secrets/mount-table";

const KINDS: Readonly<Record<MountKind, string>> = { auth: "auth", secret: "secrets" };
const SEMANTIC = /^v?(\d+(?:\.\d+){0,2})((?:-[\w.-]+)?(?:\+[\w.-]+)?)$/;

interface Versioned {
  readonly kind: MountKind;
  readonly type: string;
  /** That of the built-in plugin, which is the only one here. */
  readonly runningVersion: string;
}

/** The version of a new mount, which is not kept where it is that of the built-in plugin. @throws Refusal for others */
export function assertBuiltIn(version: string, { kind, type, runningVersion }: Versioned): void {
  if (version === "" || canonical(version) === runningVersion) return;
  throw new Refusal(`cannot select non-builtin version of ${KINDS[kind]} plugin ${type}`);
}

/** Tuning keeps that of the built-in plugin, and takes no empty one. @throws Refusal */
export function versionAtTuning(version: string, { type, runningVersion }: Versioned): string {
  const wanted = canonical(version);
  if (wanted === runningVersion) return wanted;
  throw new Refusal(`plugin not found in the catalog: ${type}, version=${wanted}`);
}

function canonical(version: string): string {
  const [, numbers, more = ""] = SEMANTIC.exec(version) ?? [];
  if (numbers !== undefined) return `v${[...numbers.split("."), "0", "0"].slice(0, 3).join(".")}${more}`;
  throw new Refusal(`version ${goQuoted(version)} is not a valid semantic version: Malformed version: ${version}`);
}
