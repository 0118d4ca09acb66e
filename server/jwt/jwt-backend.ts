import type { Backend, BackendOptions } from "../framework/backend";
import type { JwtProfile } from "../profiles/secrets-profile";
import { configPath } from "./config-path";
import { roleTerms } from "./granted-login";
import { loginPath } from "./login-path";
import { createAuthRequests } from "./oidc/auth-request";
import { authUrlPath } from "./oidc/auth-url-path";
import { callbackPath } from "./oidc/callback-path";
import { openProvider } from "./oidc/client-provider";
import { perConfiguration } from "./per-configuration";
import { rolePaths } from "./role-paths";

export interface JwtBackendOptions extends BackendOptions {
  readonly profile: JwtProfile;
}

/** The JWT/OIDC auth method: its configuration, its roles, the login with a JWT and the one through a browser. */
export function createJwtBackend({ storage, now, profile }: JwtBackendOptions): Backend {
  const providerOf = perConfiguration((config) => openProvider(config, profile));
  const oidc = { storage, now, profile: profile.browserLogin, requests: createAuthRequests(now), providerOf };
  return {
    paths: [
      configPath(storage, profile),
      ...rolePaths(storage),
      loginPath({ storage, now, profile }),
      authUrlPath(oidc),
      callbackPath(oidc),
    ],
    loginPaths: ["login", "oidc/auth_url", "oidc/callback"],
    renewalTerms: (role) => roleTerms(storage, role),
  };
}
