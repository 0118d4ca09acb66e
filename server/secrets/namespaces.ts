import { randomBytes } from "node:crypto";
import type { Tables } from "../data/tables";
import { Refusal } from "../framework/refusal";
import type { NamespaceBook, NamespaceRecord } from "../sys/namespace-paths";
import type { AccessList } from "./access-list";
import type { CoreParts } from "./core";
import { createNamespace, type Namespace, type NamespaceOptions } from "./namespace";
import { type AccessOf, accessOfToken } from "./token-access";
import type { TokenStore } from "./token-store";

/** The namespaces of a server. Their paths end in a slash; that of the root is empty. */
export interface Namespaces {
  readonly root: Namespace;
  all(): readonly Namespace[];
  /** Where a request goes, by its header and by the first segments of its path. @throws Refusal for an unknown namespace */
  route(header: string | undefined, path: string): { readonly core: CoreParts; readonly path: string };
}

type Options = Omit<NamespaceOptions, "accessOf" | "children">;

export function openNamespaces(options: Options): Namespaces {
  const { tables, tokens, profile } = options;
  const { unknownNamespace } = profile.transport;
  const records = tables.open<NamespaceRecord>("secrets/namespaces");
  const opened = new Map<string, Namespace>();

  function open(path: string): Namespace {
    const own =
      path === ""
        ? options
        : { ...options, mounts: [], tables: tablesOf(tables, path), tokens: tokensOf(tokens, path) };
    const namespace = createNamespace({
      ...own,
      accessOf: accessIn(path),
      children: unknownNamespace ? childrenOf(path) : undefined,
    });
    opened.set(path, namespace);
    return namespace;
  }

  /** A token may be used in the namespaces below its own, by policies of its own that name the whole way. */
  function accessIn(path: string): AccessOf {
    return (token) => {
      const { namespace = "" } = token;
      const home = opened.get(namespace);
      if (home === undefined || !path.startsWith(namespace)) return undefined;
      const way = path.slice(namespace.length);
      const granted = accessOfToken(home.core, token);
      return granted && { ...granted, access: way === "" ? granted.access : below(granted.access, way) };
    };
  }

  function childrenOf(parent: string): NamespaceBook {
    return {
      find: (name) => records.get(`${parent}${name}/`),
      names: () =>
        [...records.keys()]
          .filter((path) => path.startsWith(parent) && /^[^/]+\/$/.test(path.slice(parent.length)))
          .map((path) => path.slice(parent.length))
          .sort(),
      make(name, metadata) {
        const path = `${parent}${name}/`;
        const record = { id: records.get(path)?.id ?? randomBytes(3).toString("hex").slice(0, 5), path, metadata };
        records.set(path, record);
        if (!opened.has(path)) open(path);
        return record;
      },
      remove(name) {
        const path = `${parent}${name}/`;
        const namespace = opened.get(path);
        if ([...records.keys()].some((other) => other.startsWith(path) && other !== path))
          throw new Refusal(`cannot delete namespace ${JSON.stringify(path)} containing child namespaces`);
        for (const mount of [
          ...(namespace?.core.mounts.all("auth") ?? []),
          ...(namespace?.core.mounts.all("secret") ?? []),
        ])
          namespace?.core.mounts.remove(mount);
        namespace?.core.tokens.revokeIssuedUnder("");
        records.delete(path);
        opened.delete(path);
      },
    };
  }

  const root = open("");
  for (const path of records.keys()) open(path);
  return {
    root,
    all: () => [...opened.values()],
    route(header = "", path) {
      const named = header.replace(/^\/+|\/+$/g, "");
      if (unknownNamespace === undefined) return { core: root.core, path };
      const within = ["", "root"].includes(named) ? "" : `${named}/`;
      if (!opened.has(within)) throw new Refusal(unknownNamespace(path), { status: 404 });
      const whole = within + path;
      const longest = [...opened.keys()]
        .filter((own) => whole.startsWith(own))
        .reduce((a, b) => (b.length > a.length ? b : a), "");
      return { core: (opened.get(longest) ?? root).core, path: whole.slice(longest.length) };
    },
  };
}

/** The tables of a namespace have its path before their names. */
function tablesOf(tables: Tables, path: string): Tables {
  return { ...tables, open: (name) => tables.open(`secrets/namespace/${path}:${name}`) };
}

/** All tokens are in one store; a new one belongs to the namespace that issues it. */
function tokensOf(tokens: TokenStore, namespace: string): TokenStore {
  return {
    ...tokens,
    put: (entry) => tokens.put(tokens.find(entry.id) ? entry : { ...entry, namespace }),
    revokeIssuedUnder: (path) => tokens.revokeIssuedUnder(path, namespace),
  };
}

function below({ isRoot, grantOn, reaches }: AccessList, way: string): AccessList {
  return {
    isRoot,
    grantOn: (path, asked) => grantOn(way + path, asked),
    reaches: (folder) => reaches(way + folder),
  };
}
