import { goQuoted } from "../framework/go-quoted";
import { isGranted, type Permission } from "./acl-rules";
import type { AclStore } from "./acl-store";
import { ConsulRefusal } from "./consul-refusal";

export interface AccessOptions {
  /** May do everything. */
  readonly token: string;
  readonly acl: AclStore;
}

/** Throws ConsulRefusal 403 when the request's token lacks the permission; `on` is the node or service that it is about. */
export type Authorize = (request: Request, permission: Permission, on?: string) => void;

export function createAccess({ token, acl }: AccessOptions): Authorize {
  return (request, permission, on) => {
    const secret = secretOf(request);
    if (secret === token) return;
    const scope = on === undefined ? "" : ` on ${goQuoted(on)}`;
    if (secret === undefined) {
      throw new ConsulRefusal(
        403,
        `Permission denied: anonymous token lacks permission '${permission}'${scope}. The anonymous token is used implicitly when a request does not specify a token.`,
      );
    }
    const found = acl.find(secret);
    if (found === undefined) throw new ConsulRefusal(403, "ACL not found");
    if (isGranted(permission, found.rules, on)) return;
    throw new ConsulRefusal(
      403,
      `Permission denied: token with AccessorID '${found.accessorId}' lacks permission '${permission}'${scope}`,
    );
  };
}

/** Whether `authorize` lets the request pass. A token that is not known is refused. */
export function mayDo(authorize: Authorize): (...asked: Parameters<Authorize>) => boolean {
  return (...asked) => {
    try {
      authorize(...asked);
      return true;
    } catch (refusal) {
      if (refusal instanceof ConsulRefusal && refusal.message.startsWith("Permission denied")) return false;
      throw refusal;
    }
  };
}

/** An earlier place wins, even with a bad secret over a good one. */
export function secretOf(request: Request): string | undefined {
  const [scheme = "", bearer] = (request.headers.get("authorization") ?? "").split(/\s+/);
  const places = [
    new URL(request.url).searchParams.get("token"),
    request.headers.get("x-consul-token"),
    scheme.toLowerCase() === "bearer" ? bearer : undefined,
  ];
  return places.find((secret) => secret !== null && secret !== undefined && secret !== "") ?? undefined;
}
