import type { Backend, BackendOptions } from "../framework/backend";
import { configPath } from "./config-path";
import { rolePaths } from "./role-paths";

/** The JWT/OIDC auth method's management endpoints (document 1, reference 2). */
export function createJwtBackend({ storage }: BackendOptions): Backend {
  return { paths: [configPath(storage), ...rolePaths(storage)] };
}
