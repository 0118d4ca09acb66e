import { type TakeOver, takeOverSchema } from "../core/connection-entry";
import { ProviderError } from "../core/errors";
import type { Configuration, Environment } from "./settings";

/** For one run of whatever host. */
const VARIABLE = "TRUSTPLANE_TAKE_OVER";

/** What the stack, or else the environment, says of taking over for all connections. */
export function takeOverSetting(config: Configuration, env: Environment): TakeOver {
  const said = [
    ["the configuration trustplane:takeOver", config("takeOver")],
    [`the environment variable ${VARIABLE}`, env[VARIABLE]],
  ] as const;
  const [key = "", text = "always"] = said.find(([, value]) => value) ?? [];
  // A program's provider gives it as JSON.
  const result = takeOverSchema.safeParse(text.replace(/^"(.*)"$/, "$1"));
  if (result.success) return result.data;
  throw new ProviderError("ConfigError", `${key} ${result.error.issues[0]?.message}`);
}
