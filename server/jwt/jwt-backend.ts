import type { Backend, BackendOptions } from "../framework/backend";
import type { JwtProfile } from "../profiles/secrets-profile";
import { configPath } from "./config-path";
import { loginPath, roleTerms } from "./login-path";
import { rolePaths } from "./role-paths";

export interface JwtBackendOptions extends BackendOptions {
  readonly profile: JwtProfile;
}

/** The JWT/OIDC auth method: its configuration, its roles and the login with a JWT (document 1, reference 2 and 3). */
export function createJwtBackend({ storage, now, profile }: JwtBackendOptions): Backend {
  return {
    paths: [configPath(storage, profile), ...rolePaths(storage), loginPath({ storage, now, profile })],
    loginPaths: ["login"],
    renewalTerms: (role) => roleTerms(storage, role),
  };
}
