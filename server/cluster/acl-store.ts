import { randomUUID } from "node:crypto";
import type { Tables } from "../data/tables";
import { ConsulRefusal } from "./consul-refusal";

export interface AclPolicy {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Rules: string;
}

export interface AclToken {
  readonly AccessorID: string;
  readonly SecretID: string;
  readonly Description: string;
  readonly Policies?: readonly Pick<AclPolicy, "ID" | "Name">[];
  readonly Local: false;
  readonly CreateTime: string;
}

export interface AclStore {
  createPolicy(given: Pick<AclPolicy, "Name" | "Description" | "Rules">): AclPolicy;
  /** The policies by their names. */
  createToken(given: { policies: readonly string[]; Description: string; at: Date }): AclToken;
  /** The token of a secret, and the rules of its policies. */
  find(secret: string): { readonly accessorId: string; readonly rules: readonly string[] } | undefined;
}

/** The part of Consul's ACLs that gives tokens their rights. Policies and tokens can be made, not changed. */
export function createAclStore(tables: Tables): AclStore {
  const policies = tables.open<AclPolicy>("cluster/acl-policies");
  const tokens = tables.open<AclToken>("cluster/acl-tokens");
  return {
    createPolicy({ Name, Description, Rules }) {
      if (Name === "") throw new ConsulRefusal(500, "Invalid Policy: no Name is set");
      if (policies.has(Name)) {
        throw new ConsulRefusal(500, `Invalid Policy: A Policy with Name "${Name}" already exists`);
      }
      const policy = { ID: randomUUID(), Name, Description, Rules };
      policies.set(Name, policy);
      return policy;
    },
    createToken({ policies: names, Description, at }) {
      const links = names.map((name) => {
        const policy = policies.get(name);
        if (policy === undefined) throw new ConsulRefusal(500, `No such ACL policy with name "${name}"`);
        return { ID: policy.ID, Name: name };
      });
      const token: AclToken = {
        AccessorID: randomUUID(),
        SecretID: randomUUID(),
        Description,
        ...(links.length === 0 ? {} : { Policies: links }),
        Local: false,
        CreateTime: at.toISOString(),
      };
      tokens.set(token.SecretID, token);
      return token;
    },
    find(secret) {
      const token = tokens.get(secret);
      if (token === undefined) return undefined;
      const rules = (token.Policies ?? []).map(({ Name }) => policies.get(Name)?.Rules ?? "");
      return { accessorId: token.AccessorID, rules };
    },
  };
}
