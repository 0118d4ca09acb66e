import { randomUUID } from "node:crypto";
import type { Tables } from "../data/tables";
import { goQuoted } from "../framework/go-quoted";
import {
  type AclLink,
  type AclPolicy,
  type AclPolicyStore,
  contentHash,
  createAclPolicyStore,
} from "./acl-policy-store";
import { ConsulRefusal } from "./consul-refusal";

export interface AclRole {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Policies?: readonly AclLink[];
}

/** What a token may say besides; it is kept and grants nothing here. */
export interface AclIdentities {
  readonly ServiceIdentities?: unknown;
  readonly NodeIdentities?: unknown;
  readonly TemplatedPolicies?: unknown;
}

export interface AclToken extends AclIdentities {
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
  readonly Hash: string;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

interface NewRole extends Pick<AclRole, "Name" | "Description"> {
  readonly policies: readonly Partial<AclLink>[];
}

/** What a request says of a token; `""` for an ID that is to be chosen. */
export interface GivenToken extends AclIdentities, Pick<AclToken, "AccessorID" | "SecretID" | "Description" | "Local"> {
  readonly policies: readonly Partial<AclLink>[];
  readonly roles: readonly Partial<AclLink>[];
  readonly endsMs: number | undefined;
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
  readonly policies: AclPolicyStore;
  createRole(given: NewRole): AclRole;
  createToken(given: GivenToken): AclToken;
  /** Everything but its secret and its end. @throws ConsulRefusal */
  updateToken(accessor: string, given: GivenToken): AclToken;
  deleteToken(accessor: string): void;
  /** Undefined where nothing is bound. */
  createLogin(given: NewLogin): AclToken | undefined;
  /** Ends a token that a login has made. @throws ConsulRefusal */
  logout(secret: string, caller: { readonly isManagement: boolean }): void;
  /** Ends all tokens of a method. */
  endLogins(method: string): void;
  tokens(): readonly AclToken[];
  token(accessor: string): AclToken | undefined;
  tokenOf(secret: string): AclToken | undefined;
  /** The token of a secret, and the rules of its policies. */
  find(secret: string): { readonly accessorId: string; readonly rules: readonly string[] } | undefined;
}

/** The token that may do everything. It is no record, and in no list. */
export function managementToken(SecretID: string, AccessorID: string, CreateTime: string): AclToken {
  const content = {
    Description: "Initial Management Token",
    Policies: [{ ID: "00000000-0000-0000-0000-000000000001", Name: "global-management" }],
    Local: false,
  };
  const stamps = { Hash: contentHash(content), CreateIndex: 1, ModifyIndex: 1 };
  return { AccessorID, SecretID, ...content, CreateTime, ...stamps };
}

/** The part of Consul's ACLs that gives tokens their rights. Roles can be made, not changed. */
export function createAclStore(tables: Tables, clock: () => Date): AclStore {
  const indexes = tables.open<number>("cluster/acl-indexes");
  const nextIndex = () => {
    const next = (indexes.get("acl") ?? 2) + 1;
    indexes.set("acl", next);
    return next;
  };
  const policies = createAclPolicyStore(tables.open<AclPolicy>("cluster/acl-policies"), nextIndex);
  const roles = tables.open<AclRole>("cluster/acl-roles");
  const tokens = tables.open<AclToken>("cluster/acl-tokens");

  const roleLinks = (given: readonly Partial<AclLink>[]): readonly AclLink[] =>
    given.map(({ ID = "", Name = "" }) => {
      const role = [...roles.values()].find((each) => (ID === "" ? each.Name === Name : each.ID === ID));
      if (role !== undefined) return { ID: role.ID, Name: role.Name };
      const by = ID === "" ? `name ${goQuoted(Name)}` : `ID ${goQuoted(ID)}`;
      throw new ConsulRefusal(500, `No such ACL role with ${by}`);
    });
  /** An expired token is as unknown as any other. */
  function live(secret: string): AclToken | undefined {
    const token = tokens.get(secret);
    const end = token?.ExpirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(token.ExpirationTime);
    if (token === undefined || end > clock().getTime()) return token;
    tokens.delete(secret);
    return undefined;
  }
  /** As it is shown: a policy that is gone is in no token. */
  function shown({ Policies, ...token }: AclToken): AclToken {
    const present = policies.present(Policies ?? []);
    const { AccessorID, SecretID, Description, ...others } = token;
    return { AccessorID, SecretID, Description, ...(present.length > 0 ? { Policies: present } : {}), ...others };
  }
  type Content = Pick<AclToken, "Description" | "Policies" | "Roles" | "Local"> & AclIdentities;
  type Fixed = Pick<AclToken, "AccessorID" | "SecretID" | "AuthMethod" | "ExpirationTime" | "CreateTime">;
  function keep(content: Content, fixed: Fixed, createIndex?: number): AclToken {
    const { AccessorID, SecretID, ...others } = fixed;
    const index = nextIndex();
    const stamps = { Hash: contentHash(content), CreateIndex: createIndex ?? index, ModifyIndex: index };
    const token = { AccessorID, SecretID, ...content, ...others, ...stamps };
    tokens.set(SecretID, token);
    return shown(token);
  }
  const contentOf = (given: GivenToken): Content => {
    const Policies = policies.links(given.policies);
    const Roles = roleLinks(given.roles);
    const { Description, Local, ServiceIdentities, NodeIdentities, TemplatedPolicies } = given;
    return {
      Description,
      ...(Policies.length > 0 ? { Policies } : {}),
      ...(Roles.length > 0 ? { Roles } : {}),
      ...(ServiceIdentities ? { ServiceIdentities } : {}),
      ...(NodeIdentities ? { NodeIdentities } : {}),
      ...(TemplatedPolicies ? { TemplatedPolicies } : {}),
      Local,
    };
  };

  const store: AclStore = {
    policies,
    createRole({ Name, Description, policies: given }) {
      if (Name === "") throw new ConsulRefusal(500, "Invalid Role: no Name is set");
      if (roles.has(Name)) throw new ConsulRefusal(500, `Invalid Role: A Role with Name "${Name}" already exists`);
      const links = policies.links(given);
      const role = { ID: randomUUID(), Name, Description, ...(links.length > 0 ? { Policies: links } : {}) };
      roles.set(Name, role);
      return role;
    },
    createToken(given) {
      const { AccessorID, SecretID, endsMs } = given;
      if (AccessorID !== "" && store.token(AccessorID)) {
        throw new ConsulRefusal(500, "Invalid Token: AccessorID is already in use");
      }
      if (SecretID !== "" && live(SecretID)) throw new ConsulRefusal(500, "Invalid Token: SecretID is already in use");
      return keep(contentOf(given), {
        AccessorID: AccessorID || randomUUID(),
        SecretID: SecretID || randomUUID(),
        ...(endsMs === undefined ? {} : { ExpirationTime: new Date(endsMs).toISOString() }),
        CreateTime: clock().toISOString(),
      });
    },
    updateToken(accessor, given) {
      const present = store.token(accessor);
      if (present === undefined) throw new ConsulRefusal(500, `Cannot find token ${goQuoted(accessor)}`);
      const { AccessorID, SecretID, AuthMethod, ExpirationTime, CreateTime, CreateIndex } = present;
      if (given.SecretID !== "" && given.SecretID !== SecretID) {
        throw new ConsulRefusal(500, "Changing a token's SecretID is not permitted");
      }
      if (given.Local !== present.Local) throw new ConsulRefusal(500, `Cannot toggle local mode of ${accessor}`);
      const ends = given.endsMs === undefined ? undefined : new Date(given.endsMs).toISOString();
      if (ends !== undefined && ends !== ExpirationTime) {
        throw new ConsulRefusal(500, `Cannot change expiration time of ${accessor}`);
      }
      const more = { ...(AuthMethod ? { AuthMethod } : {}), ...(ExpirationTime ? { ExpirationTime } : {}) };
      return keep(contentOf(given), { AccessorID, SecretID, ...more, CreateTime }, CreateIndex);
    },
    deleteToken(accessor) {
      const present = store.token(accessor);
      if (present === undefined) throw new ConsulRefusal(404, "Cannot find token to delete");
      tokens.delete(present.SecretID);
    },
    createLogin({ roles: roleNames, policies: policyNames, seconds, AuthMethod, Description, Local }) {
      const linked = (all: (name: string) => AclLink | undefined, names: readonly string[]) =>
        names.flatMap((name) => {
          const found = all(name);
          return found === undefined ? [] : [{ ID: found.ID, Name: found.Name }];
        });
      const Roles = linked((name) => roles.get(name), roleNames);
      const Policies = linked(policies.named, policyNames);
      if (Roles.length + Policies.length === 0) return undefined;
      const at = clock();
      const links = { ...(Policies.length > 0 ? { Policies } : {}), ...(Roles.length > 0 ? { Roles } : {}) };
      return keep(
        { Description, ...links, Local },
        {
          AccessorID: randomUUID(),
          SecretID: randomUUID(),
          AuthMethod,
          ...(seconds === 0 ? {} : { ExpirationTime: new Date(at.getTime() + seconds * 1000).toISOString() }),
          CreateTime: at.toISOString(),
        },
      );
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
    tokens: () => [...tokens.keys()].flatMap((secret) => store.tokenOf(secret) ?? []),
    token: (accessor) => store.tokens().find(({ AccessorID }) => AccessorID === accessor),
    tokenOf: (secret) => {
      const token = live(secret);
      return token && shown(token);
    },
    find(secret) {
      const token = live(secret);
      if (token === undefined) return undefined;
      const ofRoles = (token.Roles ?? []).flatMap(({ Name }) => roles.get(Name)?.Policies ?? []);
      const rules = [...(token.Policies ?? []), ...ofRoles].map(({ ID }) => policies.get(ID)?.Rules ?? "");
      return { accessorId: token.AccessorID, rules };
    },
  };
  return store;
}
