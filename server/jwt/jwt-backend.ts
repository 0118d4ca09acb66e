import type { Backend, BackendOptions } from "../framework/backend";
import { configPath } from "./config-path";
import { roleTerms } from "./granted-login";
import { loginPath } from "./login-path";
import { createAuthRequests } from "./oidc/auth-request";
import { authUrlPath } from "./oidc/auth-url-path";
import { callbackPath } from "./oidc/callback-path";
import { openProvider } from "./oidc/client-provider";
import { perConfiguration } from "./per-configuration";
import { rolePaths } from "./role-paths";

/** The JWT/OIDC auth method: its configuration, its roles, the login with a JWT and the one through a browser (document 1, reference 2 and 3). */
export function createJwtBackend({ storage, now }: BackendOptions): Backend {
  const oidc = { storage, now, requests: createAuthRequests(now), providerOf: perConfiguration(openProvider) };
  return {
    paths: [
      configPath(storage),
      ...rolePaths(storage),
      loginPath({ storage, now }),
      authUrlPath(oidc),
      callbackPath(oidc),
    ],
    loginPaths: ["login", "oidc/auth_url", "oidc/callback"],
    renewalTerms: (role) => roleTerms(storage, role),
  };
}
