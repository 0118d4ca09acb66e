import { Refusal } from "../framework/refusal";
import { isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { algorithms } from "./algorithms";
import type { ConfigRecord } from "./config-record";
import { isDiscoverable } from "./discovery";
import { keySetProblem, keySourceFrom } from "./key-set";
import { providerConfigProblem } from "./provider-config";
import { publicKeyProblem } from "./public-key-pem";

type Check = (config: ConfigRecord) => string | undefined | Promise<string | undefined>;

/** The thirteen checks of reference 2.1, in their order; the first that finds something refuses. */
const checks: readonly Check[] = [
  (config) =>
    keySourceCount(config) === 1
      ? undefined
      : "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set",
  (config) =>
    (config.oidc_client_id === "") === (config.oidc_client_secret === "")
      ? undefined
      : "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC",
  discoveryProblem,
  (config) =>
    config.oidc_client_id !== "" && config.oidc_discovery_url === ""
      ? "'oidc_discovery_url' must be set for OIDC"
      : undefined,
  (config) =>
    config.jwks_pairs.length > 0 && config.jwks_ca_pem !== ""
      ? "CA PEMs must be provided as part of the 'jwks_pairs' when using multiple JWKS URLs"
      : undefined,
  (config) =>
    config.jwks_pairs.length > 0 && config.bound_issuer !== ""
      ? "Bound issuer is not supported for use with 'jwks_pairs'"
      : undefined,
  (config) => (config.jwks_url === "" ? undefined : keySetProblem({ url: config.jwks_url, caPem: config.jwks_ca_pem })),
  pairsProblem,
  publicKeysProblem,
  (config) => {
    const algorithm = unsupportedAlgorithm(config);
    return algorithm === undefined
      ? undefined
      : `invalid jwt_supported_algs: unsupported signing algorithm ${JSON.stringify(algorithm)}`;
  },
  ({ oidc_response_types: types }) =>
    types.every((type) => type === "code" || type === "id_token")
      ? undefined
      : `invalid response_types [${types.join(" ")}]. 'code' and 'id_token' are allowed`,
  responseModeProblem,
  (config) => {
    const problem = providerConfigProblem(config.provider_config);
    return problem === undefined ? undefined : `invalid provider_config: ${problem}`;
  },
];

/** @throws Refusal with the text of the first check that fails. */
export async function checkConfig(config: ConfigRecord): Promise<void> {
  for (const check of checks) {
    const problem = await check(config);
    if (problem !== undefined) throw new Refusal(problem);
  }
}

function keySourceCount(config: ConfigRecord): number {
  const { oidc_discovery_url, jwks_url, jwks_pairs, jwt_validation_pubkeys } = config;
  return [oidc_discovery_url, jwks_url, jwks_pairs, jwt_validation_pubkeys].filter(({ length }) => length > 0).length;
}

async function discoveryProblem(config: ConfigRecord): Promise<string | undefined> {
  if (config.oidc_discovery_url === "") return undefined;
  const problem = "error checking oidc discovery URL";
  const hasClient = config.oidc_client_id !== "";
  // An OIDC client is built right here, so that a wrong algorithm fails as the URL would.
  if (hasClient && unsupportedAlgorithm(config) !== undefined) return problem;
  const found = await isDiscoverable({
    url: config.oidc_discovery_url,
    caPem: config.oidc_discovery_ca_pem,
    hasClient,
  });
  return found ? undefined : problem;
}

async function pairsProblem({ jwks_pairs: pairs }: ConfigRecord): Promise<string | undefined> {
  if (!pairs.every(isPair)) {
    return "invalid jwks_pairs: jwks_pairs must be provided as a list of json objects with the fields jwks_url and jwks_ca_pem";
  }
  for (const pair of pairs) {
    const source = keySourceFrom(pair);
    const problem = source === undefined ? "error checking jwks_ca_pem" : await keySetProblem(source);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPair(value: WireValue): value is WireObject {
  return isWireObject(value);
}

function publicKeysProblem({ jwt_validation_pubkeys: keys }: ConfigRecord): string | undefined {
  const problems = keys.map(publicKeyProblem).filter((problem) => problem !== undefined);
  return problems[0] === undefined ? undefined : `error parsing public key: ${problems[0]}`;
}

function unsupportedAlgorithm({ jwt_supported_algs: wanted }: ConfigRecord): string | undefined {
  return wanted.find((algorithm) => !algorithms.includes(algorithm));
}

function responseModeProblem({
  oidc_response_mode: mode,
  oidc_response_types: types,
}: ConfigRecord): string | undefined {
  if (mode !== "" && mode !== "query" && mode !== "form_post") return `invalid response_mode: ${JSON.stringify(mode)}`;
  return mode !== "form_post" && types.includes("id_token")
    ? "query response_mode may not be used with an id_token response_type"
    : undefined;
}
