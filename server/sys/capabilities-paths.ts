import { definePath, type OperationRequest, type Path, type Reply } from "../framework/backend";
import type { Fields } from "../framework/field-type";
import { Failure, Refusal } from "../framework/refusal";
import type { AccessList } from "../secrets/access-list";
import type { AccessOf } from "../secrets/token-access";
import type { TokenStore } from "../secrets/token-store";

export interface CapabilitiesParts {
  readonly tokens: TokenStore;
  readonly accessOf: AccessOf;
}

const pathFields = { path: "commaStringSlice", paths: "commaStringSlice" } as const;

/** `sys/capabilities`, for a token, its accessor or the caller: what it may do on paths. */
export function capabilitiesPaths(parts: CapabilitiesParts): readonly Path[] {
  const invalidToken = () => new Failure("invalid token", { status: 400 });
  const answer = (token: string, { data }: Pick<OperationRequest<typeof pathFields>, "data">): Reply => {
    if (token === "") throw new Failure("no token found");
    const paths = data.get("paths").length > 0 ? data.get("paths") : data.get("path");
    if (paths.length === 0) throw new Refusal("paths must be supplied");
    if (paths.includes("")) throw new Failure("missing path", { status: 400 });
    const entry = parts.tokens.find(token);
    const granted = entry && parts.accessOf(entry);
    if (granted === undefined) throw invalidToken();
    const byPath = paths.map((path) => [path, capabilityNames(granted.access, path)] as const);
    const [first] = byPath;
    const single = byPath.length === 1 && first !== undefined ? { capabilities: first[1] } : {};
    return { data: { ...Object.fromEntries(byPath), ...single } };
  };
  const pathOf = <F extends Fields>(
    pattern: string,
    fields: F,
    tokenOf: (request: OperationRequest<F & typeof pathFields>) => string,
  ): Path =>
    definePath({
      pattern,
      fields: { ...fields, ...pathFields },
      operations: { update: (request) => answer(tokenOf(request), request) },
    });
  return [
    pathOf("capabilities", { token: "string" }, ({ data }) => data.get("token")),
    pathOf("capabilities-self", { token: "string" }, ({ caller }) => caller.token),
    pathOf("capabilities-accessor", { accessor: "string" }, ({ data }) => {
      if (data.get("accessor") === "") throw new Refusal("missing accessor");
      const entry = parts.tokens.findByAccessor(data.get("accessor"));
      if (entry === undefined) throw new Failure("invalid accessor", { status: 400 });
      return entry.id;
    }),
  ];
}

function capabilityNames(access: AccessList, path: string): readonly string[] {
  if (access.isRoot) return ["root"];
  const granted = [...(access.grantOn(path, { isList: true })?.capabilities ?? [])].sort();
  return granted.length > 0 ? granted : ["deny"];
}
