import { cleanedPath } from "../framework/request-path";

/**
 * Where Go's mux sends a path that is not clean, or that lacks the slash of its subtree; `undefined` for a path it serves.
 *
 * Consul 1.22.0 asks for Go 1.25, whose mux answers 301.
 */
export function redirectTarget(pathname: string): string | undefined {
  const clean = cleanedPath(pathname) ?? pathname;
  const target = clean === "/v1/peering" ? "/v1/peering/" : clean;
  return target === pathname ? undefined : target;
}
