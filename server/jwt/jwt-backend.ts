import type { Backend, BackendOptions } from "../framework/backend";
import { configPath } from "./config-path";
import { roleTerms } from "./granted-login";
import { loginPath } from "./login-path";
import { rolePaths } from "./role-paths";

/** The JWT/OIDC auth method: its configuration, its roles and the login with a JWT (document 1, reference 2 and 3). */
export function createJwtBackend({ storage, now }: BackendOptions): Backend {
  return {
    paths: [configPath(storage), ...rolePaths(storage), loginPath({ storage, now })],
    loginPaths: ["login"],
    renewalTerms: (role) => roleTerms(storage, role),
  };
}
