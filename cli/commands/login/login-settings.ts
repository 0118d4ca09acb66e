import type { TokenPlace } from "../../../provider/auth/token";
import { type Environment, type Settings, settingsOf } from "../../../provider/engine/settings";

/** The server of the environment, or the one that the command line names. */
export function loginSettings(
  { address, namespace }: { readonly address?: string; readonly namespace?: string },
  env: Environment,
): Settings {
  const entry = JSON.stringify({ address, namespace });
  const settings = settingsOf("secrets", undefined, (key) => (key === "secrets" ? entry : undefined), env);
  if (settings.addressAdvice === undefined) return settings;
  return {
    ...settings,
    addressAdvice: "No address is set, so this is the default: set VAULT_ADDR, or give --address.",
  };
}

/** Why later commands do not use the token that was stored in this file, or ask another server or namespace with it. */
export function warningsAbout(stored: string, { address, namespace }: Settings, env: Environment): readonly string[] {
  const later = loginSettings({}, env);
  const { places } = later.token;
  const own = places.findIndex((place) => "file" in place && place.file === stored);
  const before = places.slice(0, own).find((place) => !("variable" in place) || env[place.variable]?.trim());
  const warnings: string[] = [];
  if (own === -1) warnings.push("TRUSTPLANE_LOGIN_ROLE is set, so that later commands log in by themselves: unset it.");
  else if (before) warnings.push(`later commands use the token of ${nameOf(before)} instead: unset it.`);
  if ((later.namespace ?? "") !== (namespace ?? ""))
    warnings.push(
      `later commands use ${later.namespace ? `the namespace ${later.namespace}` : "no namespace"}: set ${env["BAO_NAMESPACE"] ? "BAO_NAMESPACE" : "VAULT_NAMESPACE"} to ${JSON.stringify(namespace ?? "")}.`,
    );
  if (later.address.href !== address.href)
    warnings.push(
      `later commands send this token to ${later.address.origin}: set ${env["BAO_ADDR"] ? "BAO_ADDR" : "VAULT_ADDR"} to ${address.origin}.`,
    );
  return warnings;
}

function nameOf(place: TokenPlace): string {
  if ("variable" in place) return place.variable;
  return "file" in place ? `${place.file}, which VAULT_TOKEN_FILE names,` : "the configuration";
}
