import type { Table } from "../data/tables";
import { compareBytes } from "../framework/go-format";
import type { PolicyProfile } from "../profiles/secrets-profile";
import { type AccessList, createAccessList, rootAccess } from "./access-list";
import { builtInPolicies, defaultPolicyText } from "./default-policy";
import { type KeptSettings, type PolicyWriting, rewritten } from "./policy-settings";
import type { PolicySubject } from "./policy-template";
import { type PathRule, readPolicy } from "./policy-text";

export interface PolicyStore {
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** What the product keeps beside the text; undefined where it keeps nothing. */
  settings(name: string): KeptSettings | undefined;
  /** @throws PolicyFailure when the text cannot be read, Refusal when the check-and-set fails. */
  put(name: string, text: string, writing?: PolicyWriting): void;
  delete(name: string): void;
  /** Sorted, `root` at the end; without those that no token may be given. */
  names(): string[];
  /** What a token of this user with these policies may do; unknown policies grant nothing. */
  accessOf(policies: readonly string[], subject?: PolicySubject): AccessList;
}

export interface PolicyStoreOptions {
  readonly profile: PolicyProfile;
  readonly now: () => Date;
  readonly texts?: Table<string>;
  readonly settings?: Table<KeptSettings>;
}

/** The policies `root`, `default`, `response-wrapping` and `control-group` are always there. */
export function createPolicyStore(options: PolicyStoreOptions): PolicyStore {
  const { profile, now, texts = new Map(), settings = new Map() } = options;
  const rules = new Map<string, readonly PathRule[]>();
  for (const [name, text] of [...builtInPolicies, ...texts.entries()]) rules.set(name, readPolicy(text, profile));
  const store: PolicyStore = {
    has: (name) => store.text(name) !== undefined,
    text: (name) => {
      const { expirationMs = Number.POSITIVE_INFINITY } = settings.get(name) ?? {};
      if (now().getTime() > expirationMs) store.delete(name);
      return texts.get(name) ?? builtInPolicies.get(name);
    },
    settings: (name) => settings.get(name),
    put: (name, text, writing) => {
      const read = readPolicy(text, profile);
      if (profile.keepsSettings) settings.set(name, rewritten(settings.get(name), writing, now().getTime()));
      rules.set(name, read);
      texts.set(name, text);
    },
    delete: (name) => {
      rules.delete(name);
      texts.delete(name);
      settings.delete(name);
    },
    names: () => [...[...texts.keys()].filter((name) => name !== "root").sort(compareBytes), "root"],
    accessOf: (policies, subject) => {
      if (policies.includes("root")) return rootAccess;
      return createAccessList(
        policies.flatMap((name) => (store.has(name) ? (rules.get(name) ?? []) : [])),
        subject,
      );
    },
  };
  if (!texts.has("root")) texts.set("root", "");
  if (!texts.has("default")) store.put("default", defaultPolicyText);
  return store;
}
