import { randomUUID } from "node:crypto";
import { definePath, type Path } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import { fullPath, type Mount, type MountKind } from "../secrets/mount-table";
import { type MountParts, withSlash } from "./enable-mount";

const fixedMounts = ["auth/token/", "sys/", "cubbyhole/", "identity/"];

interface RemountParts extends Pick<MountParts, "mounts" | "tokens" | "leases" | "tables"> {
  readonly productName: string;
}

interface Migration {
  readonly migration_id: string;
  readonly migration_info: {
    readonly source_mount: string;
    readonly target_mount: string;
    readonly status: "success" | "failure";
  };
}

/** `sys/remount` and its status; here the move is done when the answer comes. */
export function remountPaths(parts: RemountParts): readonly Path[] {
  const migrations = parts.tables.open<Migration>("secrets/migrations");
  const queuedWarning = `Mount move has been queued. Progress will be reported in ${parts.productName}'s server log, tagged with the returned migration_id`;
  return [
    definePath({
      pattern: "remount",
      fields: { from: "string", to: "string" },
      operations: {
        update: ({ data }) => {
          const [source, target] = [data.get("from"), data.get("to")];
          if (source === "" || target === "") {
            throw new Refusal("both 'from' and 'to' path must be specified as a string");
          }
          const id = randomUUID();
          const status = moveMount(parts, { source: withSlash(source), target: withSlash(target) });
          const info = { source_mount: withSlash(source), target_mount: withSlash(target), status };
          migrations.set(id, { migration_id: id, migration_info: info });
          return { data: { migration_id: id }, warnings: [queuedWarning] };
        },
      },
    }),
    definePath({
      pattern: "remount/status/(?<migration_id>.+)",
      fields: { migration_id: "string" },
      operations: {
        read: ({ data }) => {
          const migration = migrations.get(data.get("migration_id"));
          return migration === undefined ? undefined : { data: { ...migration } };
        },
      },
    }),
  ];
}

type MoveStatus = Migration["migration_info"]["status"];

/** @throws Refusal for what cannot be moved at all. */
function moveMount(
  { mounts, tokens, leases }: RemountParts,
  { source, target }: { source: string; target: string },
): MoveStatus {
  if (fixedMounts.some((fixed) => source.startsWith(fixed))) throw new Refusal(`cannot remount "${source}"`);
  const from = splitPath(source);
  const to = splitPath(target);
  if (from.kind === "auth" && to.kind !== "auth") {
    throw new Refusal(`cannot remount auth mount to non-auth mount "${target}"`);
  }
  if (from.kind !== to.kind || [...fixedMounts, "audit/"].some((fixed) => target.startsWith(fixed))) {
    throw new Refusal(`cannot remount to destination ${from.kind === "auth" ? JSON.stringify(target) : target}`);
  }
  const mount = mounts.find(from.kind, from.path);
  if (mount === undefined) throw new Refusal(`no matching mount at "${source}"`);
  const occupant = mounts.all(to.kind).find((other) => overlaps(other, target));
  if (occupant !== undefined) throw new Refusal(`path already in use at "${fullPath(occupant)}"`);
  mounts.put({ ...mount, isTainted: true });
  try {
    // What was issued under the old path ends with it.
    leases.revokePrefix(source);
  } catch (failure) {
    if (failure instanceof Refusal) return "failure";
    throw failure;
  }
  tokens.revokeIssuedUnder(source);
  mounts.put({ ...mount, path: to.path, isTainted: false });
  return "success";
}

function overlaps(mount: Mount, target: string): boolean {
  return target.startsWith(fullPath(mount)) || fullPath(mount).startsWith(target);
}

function splitPath(path: string): { kind: MountKind; path: string } {
  return path.startsWith("auth/") ? { kind: "auth", path: path.slice("auth/".length) } : { kind: "secret", path };
}
