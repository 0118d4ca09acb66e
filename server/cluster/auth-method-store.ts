import { randomUUID } from "node:crypto";
import type { Table, Tables } from "../data/tables";
import type { WireObject } from "../framework/wire-value";

interface Indexed {
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

export interface AuthMethod extends Indexed {
  readonly Name: string;
  readonly Type: string;
  readonly DisplayName: string;
  readonly Description: string;
  /** 0 for tokens that last until they log out. */
  readonly maxTokenSeconds: number;
  readonly TokenLocality: string;
  readonly Config: WireObject | null;
}

export interface BindingRule extends Indexed {
  readonly ID: string;
  readonly Description: string;
  readonly AuthMethod: string;
  readonly Selector: string;
  readonly BindType: string;
  readonly BindName: string;
}

type Fields<T extends Indexed> = Omit<T, keyof Indexed>;

export interface AuthMethodStore {
  method(name: string): AuthMethod | undefined;
  methods(): readonly AuthMethod[];
  putMethod(fields: Fields<AuthMethod>): AuthMethod;
  /** With its rules. False where there is none. */
  deleteMethod(name: string): boolean;
  rule(id: string): BindingRule | undefined;
  /** Those of one method, or of all. */
  rules(method?: string): readonly BindingRule[];
  /** Without an ID it is a new one. */
  putRule(fields: Fields<BindingRule>): BindingRule;
  deleteRule(id: string): boolean;
}

/** The auth methods of a cluster, and what their logins are bound to. */
export function createAuthMethodStore(tables: Tables): AuthMethodStore {
  const methods = tables.open<AuthMethod>("cluster/auth-methods");
  const rules = tables.open<BindingRule>("cluster/binding-rules");
  const indexes = tables.open<number>("cluster/auth-method-indexes");
  const nextIndex = () => {
    const next = (indexes.get("last") ?? 0) + 1;
    indexes.set("last", next);
    return next;
  };
  function put<T extends Indexed>(table: Table<T>, key: string, fields: Fields<T>): T {
    const ModifyIndex = nextIndex();
    const CreateIndex = table.get(key)?.CreateIndex ?? ModifyIndex;
    // What `T` has beside the indexes are its fields.
    const record = { ...fields, CreateIndex, ModifyIndex } as unknown as T;
    table.set(key, record);
    return record;
  }
  const store: AuthMethodStore = {
    method: (name) => methods.get(name),
    methods: () => [...methods.values()],
    putMethod: (fields) => put(methods, fields.Name, fields),
    deleteMethod(name) {
      for (const { ID } of store.rules(name)) rules.delete(ID);
      return methods.delete(name);
    },
    rule: (id) => rules.get(id),
    rules: (method) => [...rules.values()].filter((rule) => method === undefined || rule.AuthMethod === method),
    putRule(fields) {
      const ID = fields.ID || randomUUID();
      return put(rules, ID, { ...fields, ID });
    },
    deleteRule: (id) => rules.delete(id),
  };
  return store;
}
