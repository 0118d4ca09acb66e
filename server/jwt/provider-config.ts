import { goTypeName, goValueText } from "../framework/go-format";
import { JsonFailure } from "../framework/json-failure";
import { readJson } from "../framework/json-reader";
import { isNumberText, isWireObject, type WireObject, type WireValue, wireValue } from "../framework/wire-value";

// Members that a read leaves out.
const hiddenMembers: Readonly<Record<string, readonly string[]>> = { gsuite: ["gsuite_service_account"] };

/** What is wrong with a provider configuration, in Vault's words; an empty one is not checked. */
export function providerConfigProblem(config: WireObject, known: readonly string[]): string | undefined {
  if (Object.keys(config).length === 0) return undefined;
  const provider = config["provider"];
  if (typeof provider !== "string") return "'provider' field not found in provider_config";
  if (!known.includes(provider)) return `provider ${JSON.stringify(provider)} not found in custom providers`;
  const problem = provider === "gsuite" ? gsuiteProblem(config) : undefined;
  return problem === undefined ? undefined : `error initializing "${provider}" provider_config: ${problem}`;
}

export function shownProviderConfig(config: WireObject): WireObject {
  const hidden = hiddenMembers[String(config["provider"])] ?? [];
  return Object.fromEntries(Object.entries(config).filter(([name]) => !hidden.includes(name)));
}

const gsuiteTypes: Readonly<Record<string, "string" | "bool" | "int">> = {
  fetch_groups: "bool",
  fetch_user_info: "bool",
  groups_recurse_max_depth: "int",
  gsuite_admin_impersonate: "string",
  gsuite_service_account: "string",
  impersonate_principal: "string",
  user_custom_schemas: "string",
  domain: "string",
};

function gsuiteProblem(config: WireObject): string | undefined {
  const mismatches = Object.entries(gsuiteTypes).flatMap(([name, type]) => mismatch(config[name], { name, type }));
  if (mismatches.length > 0) return `${mismatches.length} error(s) decoding:\n\n${mismatches.sort().join("\n")}`;
  const account = config["gsuite_service_account"];
  if (typeof account !== "string" || account === "") {
    return "failed to find application default credentials: google: could not find default credentials. See https://cloud.google.com/docs/authentication/external/set-up-adc for more information";
  }
  const problem = serviceAccountProblem(account);
  return problem === undefined ? undefined : `error parsing service account JSON: ${problem}`;
}

function mismatch(
  value: WireValue | undefined,
  { name, type }: { name: string; type: "string" | "bool" | "int" },
): string[] {
  if (value === undefined || value === null) return [];
  if (fitsStrictly(value, type)) return [];
  return [
    `* '${name}' expected type '${type}', got unconvertible type '${goTypeName(value)}', value: '${goValueText(value)}'`,
  ];
}

// A number is text to Go's decoder, so it fits a string too.
function fitsStrictly(value: WireValue, type: "string" | "bool" | "int"): boolean {
  if (type === "bool") return typeof value === "boolean";
  return isNumberText(value) || (type === "string" && typeof value === "string");
}

function serviceAccountProblem(text: string): string | undefined {
  try {
    const account = wireValue(readJson(text));
    const type = isWireObject(account) ? (account["type"] ?? "") : "";
    if (type === "service_account") return undefined;
    return `google: read JWT from JSON credentials: 'type' field is ${JSON.stringify(type)} (expected "service_account")`;
  } catch (failure) {
    if (failure instanceof JsonFailure) return failure.message;
    throw failure;
  }
}
