import type { Table } from "../data/tables";
import { compareBytes } from "../framework/go-format";
import type { PolicyProfile } from "../profiles/secrets-profile";
import { type AccessList, createAccessList, rootAccess } from "./access-list";
import { builtInPolicies, defaultPolicyText } from "./default-policy";
import type { PolicySubject } from "./policy-template";
import { type PathRule, readPolicy } from "./policy-text";

export interface PolicyStore {
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** @throws PolicyFailure when the text cannot be read. */
  put(name: string, text: string): void;
  delete(name: string): void;
  /** Sorted, `root` at the end; without those that no token may be given. */
  names(): string[];
  /** What a token of this user with these policies may do; unknown policies grant nothing. */
  accessOf(policies: readonly string[], subject?: PolicySubject): AccessList;
}

export interface PolicyStoreOptions {
  readonly profile: PolicyProfile;
  readonly texts?: Table<string>;
}

/** The policies `root`, `default`, `response-wrapping` and `control-group` are always there. */
export function createPolicyStore({ profile, texts = new Map() }: PolicyStoreOptions): PolicyStore {
  const rules = new Map<string, readonly PathRule[]>();
  for (const [name, text] of [...builtInPolicies, ...texts.entries()]) rules.set(name, readPolicy(text, profile));
  const store: PolicyStore = {
    has: (name) => store.text(name) !== undefined,
    text: (name) => texts.get(name) ?? builtInPolicies.get(name),
    put: (name, text) => {
      rules.set(name, readPolicy(text, profile));
      texts.set(name, text);
    },
    delete: (name) => {
      rules.delete(name);
      texts.delete(name);
    },
    names: () => [...[...texts.keys()].filter((name) => name !== "root").sort(compareBytes), "root"],
    accessOf: (policies, subject) => {
      if (policies.includes("root")) return rootAccess;
      return createAccessList(
        policies.flatMap((name) => rules.get(name) ?? []),
        subject,
      );
    },
  };
  if (!texts.has("root")) texts.set("root", "");
  if (!texts.has("default")) store.put("default", defaultPolicyText);
  return store;
}
