import { type TakeOver, takeOverSchema } from "../core/connection-entry";
import { ProviderError } from "../core/errors";

/** For one run of whatever host. */
const VARIABLE = "TRUSTPLANE_TAKE_OVER";

/** What the stack's configuration, or else the environment, says of taking over for all connections. */
export function takeOverSetting(
  configured: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): TakeOver {
  const said = [
    // A program's provider gives it as JSON.
    ["the configuration trustplane:takeOver", configured?.replaceAll('"', "")],
    [`the environment variable ${VARIABLE}`, env[VARIABLE]],
  ] as const;
  const [key = "", text = "same"] = said.find(([, value]) => value) ?? [];
  const result = takeOverSchema.safeParse(text);
  if (result.success) return result.data;
  throw new ProviderError("ConfigError", `${key} ${result.error.issues[0]?.message}`);
}
