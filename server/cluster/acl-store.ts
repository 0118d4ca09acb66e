import { createHash, randomUUID } from "node:crypto";
import type { Tables } from "../data/tables";
import { ConsulRefusal } from "./consul-refusal";

export interface AclPolicy {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Rules: string;
}

export type AclLink = Pick<AclPolicy, "ID" | "Name">;

export interface AclRole {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Policies?: readonly AclLink[];
}

export interface AclToken {
  readonly AccessorID: string;
  readonly SecretID: string;
  readonly Description: string;
  readonly Policies?: readonly AclLink[];
  readonly Roles?: readonly AclLink[];
  readonly Local: boolean;
  /** The method whose login made it. */
  readonly AuthMethod?: string;
  readonly ExpirationTime?: string;
  readonly CreateTime: string;
  readonly Hash?: string;
  readonly CreateIndex?: number;
  readonly ModifyIndex?: number;
}

interface NewRole extends Pick<AclRole, "Name" | "Description"> {
  /** By their names. */
  readonly policies: readonly string[];
}

interface NewLogin {
  readonly AuthMethod: string;
  readonly Description: string;
  readonly Local: boolean;
  /** By their names; those that are not there are left out. */
  readonly roles: readonly string[];
  readonly policies: readonly string[];
  /** 0 for a token that does not expire. */
  readonly seconds: number;
}

export interface AclStore {
  createPolicy(given: Pick<AclPolicy, "Name" | "Description" | "Rules">): AclPolicy;
  createRole(given: NewRole): AclRole;
  /** The policies by their names. */
  createToken(given: { policies: readonly string[]; Description: string }): AclToken;
  /** Undefined where nothing is bound. */
  createLogin(given: NewLogin): AclToken | undefined;
  /** Ends a token that a login has made. @throws ConsulRefusal */
  logout(secret: string, caller: { readonly isManagement: boolean }): void;
  /** Ends all tokens of a method. */
  endLogins(method: string): void;
  tokens(): readonly AclToken[];
  /** The token of a secret, and the rules of its policies. */
  find(secret: string): { readonly accessorId: string; readonly rules: readonly string[] } | undefined;
}

/** The part of Consul's ACLs that gives tokens their rights. Policies, roles and tokens can be made, not changed. */
export function createAclStore(tables: Tables, clock: () => Date): AclStore {
  const policies = tables.open<AclPolicy>("cluster/acl-policies");
  const roles = tables.open<AclRole>("cluster/acl-roles");
  const tokens = tables.open<AclToken>("cluster/acl-tokens");

  function linkTo({ ID, Name }: AclLink): AclLink {
    return { ID, Name };
  }
  function policyLinks(names: readonly string[]): { readonly Policies?: readonly AclLink[] } {
    const links = names.map((name) => {
      const policy = policies.get(name);
      if (policy === undefined) throw new ConsulRefusal(500, `No such ACL policy with name "${name}"`);
      return linkTo(policy);
    });
    return links.length === 0 ? {} : { Policies: links };
  }
  /** An expired token is as unknown as any other. */
  function live(secret: string): AclToken | undefined {
    const token = tokens.get(secret);
    const end = token?.ExpirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(token.ExpirationTime);
    if (token === undefined || end > clock().getTime()) return token;
    tokens.delete(secret);
    return undefined;
  }
  function keep(given: Omit<AclToken, "AccessorID" | "SecretID" | "CreateTime">, at = clock()): AclToken {
    const token = { AccessorID: randomUUID(), SecretID: randomUUID(), ...given, CreateTime: at.toISOString() };
    tokens.set(token.SecretID, token);
    return token;
  }

  const store: AclStore = {
    createPolicy({ Name, Description, Rules }) {
      if (Name === "") throw new ConsulRefusal(500, "Invalid Policy: no Name is set");
      if (policies.has(Name)) {
        throw new ConsulRefusal(500, `Invalid Policy: A Policy with Name "${Name}" already exists`);
      }
      const policy = { ID: randomUUID(), Name, Description, Rules };
      policies.set(Name, policy);
      return policy;
    },
    createRole({ Name, Description, policies: names }) {
      if (Name === "") throw new ConsulRefusal(500, "Invalid Role: no Name is set");
      if (roles.has(Name)) throw new ConsulRefusal(500, `Invalid Role: A Role with Name "${Name}" already exists`);
      const role = { ID: randomUUID(), Name, Description, ...policyLinks(names) };
      roles.set(Name, role);
      return role;
    },
    createToken: ({ policies: names, Description }) => keep({ Description, ...policyLinks(names), Local: false }),
    createLogin({ roles: roleNames, policies: policyNames, seconds, AuthMethod, Description, Local }) {
      const linked = (all: { get(name: string): AclLink | undefined }, names: readonly string[]) =>
        names
          .map((name) => all.get(name))
          .filter((found) => found !== undefined)
          .map(linkTo);
      const [Roles, Policies] = [linked(roles, roleNames), linked(policies, policyNames)];
      if (Roles.length + Policies.length === 0) return undefined;
      const at = clock();
      const index = [...tokens.keys()].length + 1;
      const content = {
        Description,
        Local,
        ...(Policies.length === 0 ? {} : { Policies }),
        ...(Roles.length === 0 ? {} : { Roles }),
      };
      const login = {
        ...content,
        AuthMethod,
        ...(seconds === 0 ? {} : { ExpirationTime: new Date(at.getTime() + seconds * 1000).toISOString() }),
        // Of what it may do, as Consul's: another algorithm, which nobody can tell.
        Hash: createHash("sha256").update(JSON.stringify(content)).digest("base64"),
        CreateIndex: index,
        ModifyIndex: index,
      };
      return keep(login, at);
    },
    logout(secret, { isManagement }) {
      const token = live(secret);
      if (token === undefined && !isManagement) throw new ConsulRefusal(403, "ACL not found");
      if (token?.AuthMethod === undefined) {
        throw new ConsulRefusal(403, "Permission denied: token wasn't created via login");
      }
      tokens.delete(secret);
    },
    endLogins(method) {
      for (const { AuthMethod, SecretID } of [...tokens.values()]) if (AuthMethod === method) tokens.delete(SecretID);
    },
    tokens: () => [...tokens.keys()].map(live).filter((token) => token !== undefined),
    find(secret) {
      const token = live(secret);
      if (token === undefined) return undefined;
      const ofRoles = (token.Roles ?? []).flatMap(({ Name }) => roles.get(Name)?.Policies ?? []);
      const rules = [...(token.Policies ?? []), ...ofRoles].map(({ Name }) => policies.get(Name)?.Rules ?? "");
      return { accessorId: token.AccessorID, rules };
    },
  };
  return store;
}
