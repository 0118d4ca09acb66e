import type { Backend, BackendOptions } from "../framework/backend";
import { createApproleStore } from "./approle-store";
import { loginPath, renewalTerms } from "./login-path";
import { rolePaths } from "./role-paths";
import { secretIdPaths } from "./secret-id-paths";

/** The AppRole auth method: roles, their secret IDs, and the login with both. */
export function createApproleBackend({ storage, now }: BackendOptions): Backend {
  const store = createApproleStore(storage, now);
  return {
    paths: [...rolePaths(store), ...secretIdPaths(store, now), loginPath(store)],
    loginPaths: ["login"],
    renewalTerms: (role) => renewalTerms(store, role),
  };
}
