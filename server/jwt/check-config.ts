import { Refusal } from "../framework/refusal";
import { isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import type { JwtProfile } from "../profiles/secrets-profile";
import { algorithms } from "./algorithms";
import type { ConfigRecord } from "./config-record";
import { isDiscoverable } from "./discovery";
import { keySetProblem, keySourceFrom } from "./key-set";
import { providerConfigProblem } from "./provider-config";
import { publicKeyProblem } from "./public-key-pem";

interface Check {
  readonly problem: (config: ConfigRecord, profile: JwtProfile) => string | undefined | Promise<string | undefined>;
  /** The check asks another server for keys, and a request can skip it: a problem is then only a warning. */
  readonly isSkippable?: boolean;
}

/** The thirteen checks of Vault's plugin, in its order; the first that fails refuses. */
const checks: readonly Check[] = [
  { problem: (config, profile) => (keySourceCount(config, profile) === 1 ? undefined : profile.oneKeySource) },
  {
    problem: (config) =>
      (config.oidc_client_id === "") === (config.oidc_client_secret === "")
        ? undefined
        : "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC",
  },
  { problem: discoveryProblem, isSkippable: true },
  {
    problem: (config) =>
      config.oidc_client_id !== "" && config.oidc_discovery_url === ""
        ? "'oidc_discovery_url' must be set for OIDC"
        : undefined,
  },
  {
    problem: (config) =>
      config.jwks_pairs.length > 0 && config.jwks_ca_pem !== ""
        ? "CA PEMs must be provided as part of the 'jwks_pairs' when using multiple JWKS URLs"
        : undefined,
  },
  {
    problem: (config) =>
      config.jwks_pairs.length > 0 && config.bound_issuer !== ""
        ? "Bound issuer is not supported for use with 'jwks_pairs'"
        : undefined,
  },
  {
    problem: (config, profile) =>
      config.jwks_url === ""
        ? undefined
        : keySetProblem({ url: config.jwks_url, caPem: config.jwks_ca_pem }, profile.keySetProblem),
    isSkippable: true,
  },
  { problem: pairsProblem },
  { problem: publicKeysProblem },
  {
    problem: (config) => {
      const algorithm = unsupportedAlgorithm(config);
      return algorithm === undefined
        ? undefined
        : `invalid jwt_supported_algs: unsupported signing algorithm ${JSON.stringify(algorithm)}`;
    },
  },
  {
    problem: ({ oidc_response_types: types }) =>
      types.every((type) => type === "code" || type === "id_token")
        ? undefined
        : `invalid response_types [${types.join(" ")}]. 'code' and 'id_token' are allowed`,
  },
  { problem: responseModeProblem },
  {
    problem: (config, { providers }) => {
      const problem = providerConfigProblem(config.provider_config, providers);
      return problem === undefined ? undefined : `invalid provider_config: ${problem}`;
    },
  },
];

/**
 * The warnings about a configuration.
 * @throws Refusal with the text of the first check that fails.
 */
export async function checkConfig(
  config: ConfigRecord,
  { profile, skipsKeys }: { profile: JwtProfile; skipsKeys: boolean },
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const { problem, isSkippable = false } of checks) {
    const found = await problem(config, profile);
    if (found === undefined) continue;
    if (!(isSkippable && skipsKeys)) throw new Refusal(found);
    warnings.push(found);
  }
  return warnings;
}

function keySourceCount(config: ConfigRecord, { providers }: JwtProfile): number {
  const { oidc_discovery_url, jwks_url, jwks_pairs, jwt_validation_pubkeys } = config;
  const given = [oidc_discovery_url, jwks_url, jwks_pairs, jwt_validation_pubkeys].filter(({ length }) => length > 0);
  // A product that knows the provider Kubernetes takes the keys from the cluster: one more source.
  const isKubernetes = config.provider_config["provider"] === "kubernetes" && providers.includes("kubernetes");
  return given.length + (isKubernetes ? 1 : 0);
}

async function discoveryProblem(config: ConfigRecord): Promise<string | undefined> {
  if (config.oidc_discovery_url === "") return undefined;
  const problem = "error checking oidc discovery URL";
  const hasClient = config.oidc_client_id !== "";
  // Vault builds an OIDC client here. So a wrong algorithm gives the error of a wrong URL.
  if (hasClient && unsupportedAlgorithm(config) !== undefined) return problem;
  const found = await isDiscoverable({
    url: config.oidc_discovery_url,
    caPem: config.oidc_discovery_ca_pem,
    hasClient,
  });
  return found ? undefined : problem;
}

async function pairsProblem({ jwks_pairs: pairs }: ConfigRecord, profile: JwtProfile): Promise<string | undefined> {
  if (!pairs.every(isPair)) {
    return "invalid jwks_pairs: jwks_pairs must be provided as a list of json objects with the fields jwks_url and jwks_ca_pem";
  }
  for (const pair of pairs) {
    const source = keySourceFrom(pair);
    const problem =
      source === undefined ? "error checking jwks_ca_pem" : await keySetProblem(source, profile.keySetProblem);
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
