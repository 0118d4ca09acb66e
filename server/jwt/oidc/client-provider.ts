import type { JwtProfile } from "../../profiles/secrets-profile";
import { TokenFailure } from "../compact-jws";
import type { ConfigRecord } from "../config-record";
import { discoveredEndpoints, type Endpoints } from "../discovery";
import { FetchFailure } from "../fetch-document";
import { type AcceptedAlgorithms, remoteKeys, type VerifyingKeys } from "../verifying-keys";

/** The provider of a configuration, for logins through a browser. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly caPem: string;
  readonly endpoints: Endpoints;
  readonly keys: VerifyingKeys;
  /** How the algorithm of an ID token is checked. */
  readonly accepting: AcceptedAlgorithms;
}

/** @throws TokenFailure when the provider cannot be reached or none is configured. */
export async function openProvider(config: ConfigRecord, profile: JwtProfile): Promise<Provider> {
  const { oidc_discovery_url: issuer, oidc_client_id: clientId, oidc_discovery_ca_pem: caPem } = config;
  const endpoints = await endpointsOf({ issuer, caPem });
  const accepted = config.jwt_supported_algs.length > 0 ? config.jwt_supported_algs : ["RS256"];
  return {
    issuer,
    clientId,
    clientSecret: config.oidc_client_secret,
    caPem,
    endpoints,
    keys: remoteKeys({ url: endpoints.keys, caPem }, profile),
    accepting: { accepted, algorithmPrefix: profile.algorithmPrefix },
  };
}

async function endpointsOf({ issuer, caPem }: { issuer: string; caPem: string }): Promise<Endpoints> {
  try {
    return await discoveredEndpoints({ url: issuer, caPem });
  } catch (failure) {
    if (!(failure instanceof FetchFailure)) throw failure;
    throw new TokenFailure(
      `error creating provider: error creating provider with given values: NewProvider: unable to create provider: ${failure.message}`,
    );
  }
}
