import { definePath, type Path } from "../framework/backend";
import { goQuoted } from "../framework/go-quoted";
import { Refusal } from "../framework/refusal";
import { fullPath } from "../secrets/mount-table";
import type { AccessOf } from "../secrets/token-access";
import type { MountParts } from "./enable-mount";
import { shownMount } from "./mount-view";

/** The core asks no policy here: the path looks itself at what the token may do in the mount. */
export const shownMountLoginPaths: readonly string[] = ["internal/ui/mounts/*"];

/** `sys/internal/ui/mounts/:path`: one mount, for any token that may do something in it. */
export function shownMountPaths({ tokens, mounts, accessOf }: MountParts & { readonly accessOf: AccessOf }): Path[] {
  return [
    definePath({
      pattern: "internal/ui/mounts/(?<path>.+)",
      fields: { path: "string" },
      operations: {
        read: ({ data, caller }) => {
          const entry = tokens.find(caller.token);
          const granted = entry && accessOf(entry);
          if (granted === undefined) throw new Refusal("permission denied", { status: 403 });
          const path = data.get("path").replace(/^\/|\/$/g, "");
          const mount = mounts.route(`${path}/`);
          if (mount === undefined || !granted.access.reaches(fullPath(mount)))
            throw new Refusal(
              `preflight capability check returned 403, please ensure client's policies grant access to path ${goQuoted(`${path}/`)}`,
              { status: 403 },
            );
          return { data: shownMount(mount) };
        },
      },
    }),
  ];
}
