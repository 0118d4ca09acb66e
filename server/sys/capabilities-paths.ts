import { definePath, type Path } from "../framework/backend";
import { Refusal } from "../framework/refusal";
import type { AccessList, AccessOf } from "../secrets/access-list";
import type { TokenStore } from "../secrets/token-store";

interface CapabilityParts {
  readonly accessOf: AccessOf;
  readonly tokens: TokenStore;
}

/** `sys/capabilities-self`: what the caller may do on paths. */
export function capabilitiesPaths({ accessOf, tokens }: CapabilityParts): readonly Path[] {
  return [
    definePath({
      pattern: "capabilities-self",
      fields: { token: "string", path: "commaStringSlice", paths: "commaStringSlice" },
      operations: {
        update: ({ data, caller }) => {
          const paths = data.get("paths").length > 0 ? data.get("paths") : data.get("path");
          if (paths.length === 0) throw new Refusal("paths must be supplied");
          const access = accessOf(tokens.find(caller.token) ?? {}, caller.policies);
          const byPath = paths.map((path) => [path, capabilityNames(access, path)] as const);
          const [first] = byPath;
          return {
            data: {
              ...Object.fromEntries(byPath),
              ...(byPath.length === 1 && first !== undefined ? { capabilities: first[1] } : {}),
            },
          };
        },
      },
    }),
  ];
}

function capabilityNames(access: AccessList, path: string): readonly string[] {
  if (access.isRoot) return ["root"];
  const granted = [...access.capabilitiesOn(path)].sort();
  return granted.length > 0 ? granted : ["deny"];
}
