import type { Table } from "../data/tables";
import { compareBytes } from "../framework/go-format";
import { type AccessList, createAccessList, rootAccess } from "./access-list";
import { defaultPolicyText } from "./default-policy";
import { type PathRule, readPolicy } from "./policy-text";
import { wrappingPolicy } from "./wrapping-token";

export interface PolicyStore {
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** @throws PolicyFailure when the text cannot be read. */
  put(name: string, text: string): void;
  delete(name: string): void;
  names(): string[];
  /** What a token with these policies may do; unknown policies grant nothing. */
  accessOf(policies: readonly string[]): AccessList;
}

const wrappingRules = readPolicy('path "sys/wrapping/unwrap" { capabilities = ["update"] }');

/** The policies `root` and `default` are always there. */
export function createPolicyStore(texts: Table<string> = new Map()): PolicyStore {
  const rules = new Map<string, readonly PathRule[]>();
  rules.set(wrappingPolicy, wrappingRules);
  for (const [name, text] of texts.entries()) rules.set(name, readPolicy(text));
  const store: PolicyStore = {
    has: (name) => texts.has(name),
    text: (name) => texts.get(name),
    put: (name, text) => {
      rules.set(name, readPolicy(text));
      texts.set(name, text);
    },
    delete: (name) => {
      rules.delete(name);
      texts.delete(name);
    },
    names: () => [...texts.keys()].sort(compareBytes),
    accessOf: (policies) =>
      policies.includes("root") ? rootAccess : createAccessList(policies.flatMap((name) => rules.get(name) ?? [])),
  };
  if (!store.has("root")) texts.set("root", "");
  if (!store.has("default")) store.put("default", defaultPolicyText);
  return store;
}
