import { definePath, type Path } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import { fullPath, type Mount, type MountKind } from "../secrets/mount-table";
import { disableMount, enableFields, enableMount, type MountParts, withSlash } from "./enable-mount";
import { mountEntry, tuneEntry } from "./mount-view";
import { tunedMount, tuneFields } from "./tune-mount";

/** `sys/mounts` or `sys/auth`: list, enable, read, disable, tune. */
export function mountPaths(parts: MountParts, { kind, root }: { kind: MountKind; root: string }): readonly Path[] {
  // A path below a mount finds the mount. In the list of all mounts, auth methods have their full paths.
  const route = (path: string) => parts.mounts.route(named(kind, path));
  const find = (path: string) => (kind === "auth" ? parts.mounts.find(kind, withSlash(path)) : route(path));
  return [
    definePath({
      pattern: root,
      fields: {},
      operations: { read: () => ({ data: entriesByPath(parts.mounts.all(kind)) }) },
    }),
    definePath({
      pattern: `${root}/(?<path>.+?)/tune`,
      fields: tuneFields,
      operations: {
        read: ({ data }) => {
          const mount = route(data.get("path"));
          if (mount === undefined)
            throw new Refusal(`cannot fetch sysview for path "${named(kind, data.get("path"))}"`);
          return { data: tuneEntry(mount) };
        },
        update: ({ data }) => {
          const path = withSlash(data.get("path"));
          if (kind === "secret" && untunable.some((each) => path.startsWith(each))) {
            throw new Refusal(`cannot tune "${path}"`);
          }
          const mount = route(data.get("path"));
          if (mount === undefined) {
            throw new Refusal(`tune of path "${named(kind, data.get("path"))}" failed: no mount entry found`);
          }
          parts.mounts.put(tunedMount(mount, data, parts.lacking));
          return undefined;
        },
      },
    }),
    definePath({
      pattern: `${root}/(?<path>.+)`,
      fields: enableFields,
      operations: {
        read: ({ data }) => {
          const mount = find(data.get("path"));
          const what = kind === "auth" ? "auth engine" : "secret engine mount";
          if (mount === undefined) throw new Refusal(`No ${what} at ${withSlash(data.get("path"))}`);
          return { data: mountEntry(mount) };
        },
        update: ({ data }) => {
          enableMount(parts, { kind, data });
          return undefined;
        },
        delete: ({ data }) => {
          disableMount(parts, { kind, path: data.get("path") });
          return undefined;
        },
      },
    }),
  ];
}

const untunable = ["sys/", "cubbyhole/", "audit/"];

function entriesByPath(mounts: readonly Mount[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(mounts.map((mount) => [mount.path, mountEntry(mount)]));
}

function named(kind: MountKind, path: string): string {
  return fullPath({ kind, path: withSlash(path) });
}
