import { homedir } from "node:os";
import { join } from "node:path";
import type { HostTokenFiles, ServiceDefaults } from "../core/connection-entry";

type HostTokens = NonNullable<ServiceDefaults["hostTokens"]>;

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
}

/**
 * The files in which Terraform's and OpenTofu's commands have tokens by host: what people write first, and what
 * `login` writes last. A file that a variable names stands for all of the first kind.
 */
export function hostTokenFiles(
  { fileVariables, configuration, credentials }: HostTokens,
  { env, platform = process.platform }: Machine,
): readonly string[] {
  const isWindows = platform === "win32";
  const named = fileVariables.map((variable) => env[variable]).find(Boolean);
  const places = (of: HostTokenFiles) => {
    if (isWindows) return of.windows.map((file) => join(env["APPDATA"] || join(homedir(), "AppData", "Roaming"), file));
    const configFolder = env["XDG_CONFIG_HOME"];
    return [
      ...of.home.map((file) => join(homedir(), file)),
      ...(configFolder ? of.configFolder.map((file) => join(configFolder, file)) : []),
    ];
  };
  return [...(named ? [named] : places(configuration)), ...places(credentials)];
}
