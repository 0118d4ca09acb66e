import { type Service, type ServiceDefaults, serviceDefaults } from "../../provider/core/connection-entry";
import type { Environment } from "../../provider/engine/settings";

/** Whether a variable of the ecosystem is set for this service. */
export function namesService(service: Service, env: Environment): boolean {
  const { environment, hostTokens }: ServiceDefaults = serviceDefaults[service];
  const isSet = (variable: string) => Boolean(env[variable]);
  const isHostToken = (name: string) => hostTokens !== undefined && name.startsWith(hostTokens.variable);
  return Object.values(environment).flat().some(isSet) || Object.keys(env).some(isHostToken);
}

export function addressVariables(service: Service): readonly string[] {
  return serviceDefaults[service].environment.address;
}
