import { DurationFailure, nanosecondsFromText } from "../framework/go-duration";
import { compareBytes } from "../framework/go-format";
import { isNumberText, isWireList, isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { discoveredEndpoints } from "../jwt/discovery";
import { FetchFailure, readableCertificates } from "../jwt/fetch-document";
import { fetchKeySet } from "../jwt/key-set";
import { publicKeyFromPem } from "../jwt/public-key-pem";
import { ConsulRefusal } from "./consul-refusal";

/** The configuration of a JWT auth method, by its members on the wire. Leeways are seconds. */
export interface AuthMethodConfig {
  readonly JWTSupportedAlgs: readonly string[];
  readonly BoundAudiences: readonly string[];
  readonly JWTValidationPubKeys: readonly string[];
  readonly ClaimMappings: Readonly<Record<string, string>>;
  readonly ListClaimMappings: Readonly<Record<string, string>>;
  readonly OIDCDiscoveryURL: string;
  readonly OIDCDiscoveryCACert: string;
  readonly JWKSURL: string;
  readonly JWKSCACert: string;
  readonly BoundIssuer: string;
  readonly ExpirationLeeway: number;
  readonly NotBeforeLeeway: number;
  readonly ClockSkewLeeway: number;
}

const readers: { readonly [K in keyof AuthMethodConfig]: (value: WireValue | undefined) => AuthMethodConfig[K] } = {
  JWTSupportedAlgs: texts,
  BoundAudiences: texts,
  JWTValidationPubKeys: texts,
  ClaimMappings: textMap,
  ListClaimMappings: textMap,
  OIDCDiscoveryURL: text,
  OIDCDiscoveryCACert: text,
  JWKSURL: text,
  JWKSCACert: text,
  BoundIssuer: text,
  ExpirationLeeway: seconds,
  NotBeforeLeeway: seconds,
  ClockSkewLeeway: seconds,
};

/** @throws ConsulRefusal */
export function readConfig(config: WireObject): AuthMethodConfig {
  const unknown = Object.keys(config).filter((name) => !Object.hasOwn(readers, name));
  if (unknown.length > 0) throw undecodable(`'' has invalid keys: ${unknown.sort(compareBytes).join(", ")}`);
  const read = Object.entries(readers).map(([name, reader]) => {
    try {
      return [name, reader(config[name])] as const;
    } catch (failure) {
      if (failure instanceof Misfit || failure instanceof DurationFailure) {
        throw undecodable(`'${name}' ${failure.message}`);
      }
      throw failure;
    }
  });
  // Each member was read by its own reader.
  return Object.fromEntries(read) as unknown as AuthMethodConfig;
}

/** The checks of Consul's library, in its order. Keys that are elsewhere must be there. @throws ConsulRefusal */
export async function checkConfig(config: AuthMethodConfig): Promise<void> {
  const { JWKSURL, JWKSCACert, OIDCDiscoveryURL, OIDCDiscoveryCACert, JWTValidationPubKeys } = config;
  const sources = [OIDCDiscoveryURL, JWTValidationPubKeys, JWKSURL].filter(({ length }) => length > 0);
  if (sources.length !== 1) {
    throw invalid(`exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL' must be set for type "jwt"`);
  }
  if (JWKSURL !== "") {
    await reachable("JWKS", JWKSCACert, async () => {
      await fetchKeySet({ url: JWKSURL, caPem: JWKSCACert }).catch(rethrown("fetching keys "));
    });
  } else if (JWKSCACert !== "") {
    throw invalid("'JWKSCACert' should not be set unless 'JWKSURL' is set");
  }
  for (const [at, pem] of JWTValidationPubKeys.entries()) {
    if (publicKeyFromPem(pem) !== undefined) continue;
    const problem = "data does not contain any valid RSA, ECDSA, or ED25519 public keys";
    throw invalid(`error parsing public key JWTValidationPubKeys[${at}]: ${problem}`);
  }
  if (OIDCDiscoveryURL !== "") {
    await reachable("OIDCDiscovery", OIDCDiscoveryCACert, async () => {
      await discoveredEndpoints({ url: OIDCDiscoveryURL, caPem: OIDCDiscoveryCACert });
    });
  } else if (OIDCDiscoveryCACert !== "") {
    throw invalid("'OIDCDiscoveryCACert' should not be set unless 'OIDCDiscoveryURL' is set");
  }
  const stranger = config.JWTSupportedAlgs.find((name) => !/^(RS|ES|PS)(256|384|512)$/.test(name));
  if (stranger !== undefined) throw invalid(`Invalid supported algorithm: ${stranger}`);
  for (const name of ["ClaimMappings", "ListClaimMappings"] as const) {
    const targets = Object.values(config[name]);
    const twice = targets.find((target, at) => targets.indexOf(target) !== at);
    if (twice !== undefined) throw invalid(`${name} contains multiple mappings for key ${JSON.stringify(twice)}`);
  }
}

async function reachable(name: string, caPem: string, look: () => Promise<void>): Promise<void> {
  if (caPem !== "" && readableCertificates(caPem).length === 0) {
    throw invalid(`error checking ${name}CACert: could not parse CA PEM value successfully`);
  }
  try {
    await look();
  } catch (failure) {
    if (failure instanceof FetchFailure) throw invalid(`error checking ${name}URL: ${failure.message}`);
    throw failure;
  }
}

function rethrown(prefix: string): (failure: unknown) => never {
  return (failure) => {
    throw failure instanceof FetchFailure ? new FetchFailure(prefix + failure.message) : failure;
  };
}

export function invalid(problem: string): ConsulRefusal {
  return new ConsulRefusal(500, `Invalid Auth Method: ${problem}`);
}

function undecodable(problem: string): ConsulRefusal {
  return invalid(`error decoding config: decoding failed due to the following error(s):\n\n${problem}`);
}

class Misfit extends Error {}

function text(value: WireValue = ""): string {
  if (value === null || typeof value === "string") return value ?? "";
  throw new Misfit("expected type 'string'");
}

function texts(value: WireValue = []): readonly string[] {
  if (value === null) return [];
  return isWireList(value) ? value.map((each) => text(each)) : [text(value)];
}

function textMap(value: WireValue = {}): Readonly<Record<string, string>> {
  if (value === null) return {};
  if (!isWireObject(value)) throw new Misfit("expected a map");
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, text(each)]));
}

/** A number is nanoseconds. */
function seconds(value: WireValue = null): number {
  if (value === null) return 0;
  const nanoseconds = isNumberText(value) ? Number(value.rawJSON) : Number(nanosecondsFromText(text(value)));
  return nanoseconds / 1e9;
}
