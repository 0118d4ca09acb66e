import type { Values } from "../core/definition";
import { during } from "../core/errors";
import { dialects } from "../dialects";
import { type Titled, titleOf } from "./operation";
import { type Configuration, type Environment, type Settings, settingsOf } from "./settings";

/** The settings of the connection that a resource names, or of its service. What is wrong with the one names the resource. */
export function settingsFor(definition: Titled, values: Values, config: Configuration, env: Environment): Settings {
  const { service } = dialects[definition.dialect];
  const name = (typeof values["connection"] === "string" && values["connection"]) || undefined;
  try {
    return settingsOf(service, name, config, env);
  } catch (error) {
    throw name === undefined ? error : during(titleOf(definition, values), error);
  }
}
