import { definePath, type Path } from "../framework/backend";
import { Refusal } from "../framework/refusal";

/** A namespace as it is kept. */
export interface NamespaceRecord {
  readonly id: string;
  /** With its trailing slash. */
  readonly path: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The children of a namespace. */
export interface NamespaceBook {
  find(name: string): NamespaceRecord | undefined;
  names(): readonly string[];
  make(name: string, metadata: NamespaceRecord["metadata"]): NamespaceRecord;
  remove(name: string): void;
}

const reserved = ["root", "sys", "audit", "auth", "cubbyhole", "identity"];

/** `sys/namespaces`, by its documentation: no server that has namespaces could be asked. */
export function namespacePaths(children: NamespaceBook): readonly Path[] {
  const viewed = (name: string) => {
    const found = children.find(name);
    return found && { id: found.id, path: found.path, custom_metadata: found.metadata };
  };
  return [
    definePath({
      pattern: "namespaces/?",
      fields: {},
      operations: {
        list: () => {
          const keys = children.names();
          if (keys.length === 0) return { data: {} };
          return { data: { keys, key_info: Object.fromEntries(keys.map((key) => [key, viewed(key.slice(0, -1))])) } };
        },
      },
    }),
    definePath({
      pattern: "namespaces/(?<path>.+)",
      fields: { path: "string", custom_metadata: "kvPairs" },
      operations: {
        read: ({ data }) => {
          const found = viewed(nameIn(data.get("path")));
          return found && { data: found };
        },
        update: ({ data }) => {
          const name = nameIn(data.get("path"));
          if (name.includes("/") || reserved.includes(name) || name === "." || name === "..")
            throw new Refusal(`${JSON.stringify(name)} is no name of a namespace`);
          const { id, path, metadata } = children.make(name, data.get("custom_metadata") ?? {});
          return { data: { id, path, custom_metadata: metadata } };
        },
        delete: ({ data }) => {
          children.remove(nameIn(data.get("path")));
          return undefined;
        },
      },
    }),
  ];
}

function nameIn(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}
