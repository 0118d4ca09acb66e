import * as z from "zod";
import { ProviderError } from "../core/errors";
import { isLike } from "../core/is-like";
import { parseJson } from "../core/parse-json";
import type { Log } from "./log";
import type { Configuration, Environment } from "./settings";

/** For one run of whatever host. */
const VARIABLE = "TRUSTPLANE_SILENCE";

/** The log, without the advice whose line fits a pattern of the stack's configuration or of the environment. */
export function unlessSilenced(log: Log, config: Configuration, env: Environment): Log {
  return (level, message) => {
    if (!silencePatterns(config, env).some((pattern) => isLike(pattern, message))) log(level, message);
  };
}

/** Throws where one of the two is no list of texts. */
export function silencePatterns(config: Configuration, env: Environment): readonly string[] {
  return [
    ...patternsIn("the configuration trustplane:silence", config("silence")),
    ...patternsIn(`the environment variable ${VARIABLE}`, env[VARIABLE]),
  ];
}

/** A text that is no JSON is the only pattern. */
function patternsIn(where: string, text: string | undefined): readonly string[] {
  if (!text) return [];
  const parsed = z.union([z.array(z.string()), z.string()]).safeParse(parseJson(text) ?? text);
  if (!parsed.success) throw new ProviderError("ConfigError", `${where} must be a list of texts`);
  return [parsed.data].flat();
}
