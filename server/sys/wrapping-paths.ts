import { definePath, type Path, type Wrapped } from "../framework/backend";
import { rfc3339 } from "../framework/go-time";
import { Failure, Refusal } from "../framework/refusal";
import type { TokenEntry, TokenStore } from "../secrets/token-store";

/** Needs no token. */
export const wrappingLoginPaths: readonly string[] = ["wrapping/lookup"];

const fields = { token: "string" } as const;

/** `sys/wrapping/…`: wrapped answers. The core has looked that the token of a request wraps one. */
export function wrappingPaths(tokens: TokenStore): readonly Path[] {
  const found = (id: string): { readonly entry: TokenEntry; readonly wrapped: Wrapped } => {
    const entry = tokens.find(id);
    if (entry?.wrapped === undefined) throw new Failure("token is not a valid unwrap token");
    return { entry, wrapped: entry.wrapped };
  };
  /** What is wrapped, for the last time: the core ends a token that has come by itself. */
  const taken = (given: string, own: string): Wrapped => {
    const { wrapped } = found(given || own);
    if (given !== "") tokens.revoke(given);
    return wrapped;
  };
  const shown = (id: string) => {
    const { entry, wrapped } = found(id);
    return {
      creation_path: wrapped.path,
      creation_time: rfc3339(new Date(entry.createdMs)),
      creation_ttl: entry.creationTtlSeconds,
    };
  };
  return [
    definePath({
      pattern: "wrapping/wrap",
      fields: {},
      takesAnything: true,
      operations: {
        update: ({ data, wrapSeconds }) => {
          if (wrapSeconds === 0) throw new Refusal("endpoint requires response wrapping to be used");
          return { data: data.raw };
        },
      },
    }),
    definePath({
      pattern: "wrapping/unwrap",
      fields,
      operations: {
        update: ({ data, caller }) => {
          const { body } = taken(data.get("token"), caller.token);
          return { page: { status: 200, contentType: "application/json", body } };
        },
      },
    }),
    definePath({
      pattern: "wrapping/lookup",
      fields,
      operations: {
        read: ({ caller }) => ({ data: shown(caller.token) }),
        update: ({ data, caller }) => ({ data: shown(data.get("token") || caller.token) }),
      },
    }),
    definePath({
      pattern: "wrapping/rewrap",
      fields,
      operations: {
        update: ({ data, caller }) => ({ data: {}, rewrapped: taken(data.get("token"), caller.token) }),
      },
    }),
  ];
}
