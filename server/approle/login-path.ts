import { definePath, type LeaseTerms, type Login, type OperationRequest, type Path } from "../framework/backend";
import { isWithinBounds } from "../framework/bound-address";
import { goQuoted } from "../framework/go-quoted";
import { Failure, Refusal } from "../framework/refusal";
import { grantedToken, parseAddresses, tokenTerms } from "../framework/token-fields";
import type { ApproleStore, NamedRole, SecretIdRecord } from "./approle-store";
import { refuseOutside } from "./issue-secret-id";

const fields = { role_id: "string", secret_id: "string" } as const;

/** `login`: a role ID and mostly a secret ID in, a token of the server out. */
export function loginPath(store: ApproleStore): Path {
  return definePath({
    pattern: "login",
    fields,
    operations: {
      update: (request) => ({ login: loginFor(store, request) }),
      // The core asks for the name of the alias before it looks at the verb.
      read: () => {
        throw withoutAlias();
      },
    },
  });
}

function withoutAlias(): Failure {
  return new Failure("failed to determine alias name from login request");
}

function loginFor(store: ApproleStore, { data, remoteAddress }: OperationRequest<typeof fields>): Login {
  const roleId = data.get("role_id").trim();
  if (roleId === "") throw withoutAlias();
  const found = store.roleById(roleId);
  if (found === undefined) throw unknown();
  const { name, role } = found;
  const secretId = role.bind_secret_id
    ? usedSecretId(store, found, { secretId: data.get("secret_id").trim(), remoteAddress })
    : undefined;
  refuseAddress(remoteAddress, role.secret_id_bound_cidrs ?? [], "by CIDR restrictions on the role: %!w(<nil>)");
  const metadata = { ...secretId?.metadata, role_name: name };
  const bounds = secretId?.tokenBoundCidrs ?? [];
  return {
    ...grantedToken(role),
    ...(bounds.length > 0 ? { boundAddresses: parseAddresses(bounds) } : {}),
    alias: roleId,
    displayName: "",
    groups: [],
    metadata,
    role: name,
  };
}

/** What a secret ID says. A use of it counts even where its networks refuse the login. @throws Refusal or Failure */
function usedSecretId(
  store: ApproleStore,
  { name, role }: NamedRole,
  { secretId, remoteAddress }: { readonly secretId: string; readonly remoteAddress: string },
): SecretIdRecord {
  if (secretId === "") throw new Refusal("missing secret_id");
  const found = store.secretId(name, secretId);
  if (found === undefined) throw unknown();
  const { uses, cidrList } = found.record;
  store.spend(found);
  refuseOutside(cidrList, role.secret_id_bound_cidrs ?? []);
  const how = uses === 0 ? "through" : "by";
  const rest = uses === 0 ? "" : ": %!w(<nil>)";
  refuseAddress(remoteAddress, cidrList, `${how} CIDR restrictions on the secret ID${rest}`);
  return found.record;
}

function unknown(): Refusal {
  return new Refusal("invalid role or secret ID");
}

function refuseAddress(remoteAddress: string, networks: readonly string[], why: string): void {
  if (isWithinBounds(remoteAddress, networks)) return;
  throw new Refusal(`source address ${goQuoted(remoteAddress)} unauthorized ${why}`);
}

/** The lifetimes that the role now has for a token that it issued. @throws Failure */
export function renewalTerms(store: ApproleStore, name: string): LeaseTerms {
  const found = store.role(name);
  if (found === undefined) {
    throw new Failure(`failed to renew entry: role ${goQuoted(name)} does not exist during renewal`);
  }
  return tokenTerms(found.role);
}
