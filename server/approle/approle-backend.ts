import type { Backend, BackendOptions } from "../framework/backend";
import { createApproleStore } from "./approle-store";
import { loginPath, renewalTerms } from "./login-path";
import { rolePaths } from "./role-paths";
import { secretIdPaths } from "./secret-id-paths";

/** Each of these can be written alone, at an endpoint of its own. */
const roleFields = [
  "bind-secret-id",
  "bound-cidr-list",
  "local-secret-ids",
  "period",
  "policies",
  "secret-id-bound-cidrs",
  "secret-id-num-uses",
  "secret-id-ttl",
  "token-bound-cidrs",
  "token-max-ttl",
  "token-num-uses",
  "token-ttl",
];

/** The AppRole auth method: roles, their secret IDs, and the login with both. */
export function createApproleBackend({ storage, now }: BackendOptions): Backend {
  const store = createApproleStore(storage, now);
  return {
    paths: [...rolePaths(store), ...secretIdPaths(store, now), loginPath(store)],
    loginPaths: ["login"],
    unsupported: [`role/[^/]+/(?:${roleFields.join("|")})`, "tidy/secret-id"],
    renewalTerms: (role) => renewalTerms(store, role),
  };
}
