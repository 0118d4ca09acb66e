import { CloudFailure } from "../cloud/cloud-failure";
import type { CloudCaller } from "../cloud/cloud-identity";
import type { AwsProfile } from "../profiles/secrets-profile";
import { readRootConfig } from "./root-config";
import { type CredentialSources, rootCredentials, stsRegions } from "./root-credentials";

/** What an engine asks for temporary credentials with. */
export interface StsClient {
  readonly caller: CloudCaller;
  readonly region: string;
}

export interface StsClients {
  /** @throws Error in Vault's words when the cloud does not know the caller, which is asked once. */
  client(): StsClient;
  /** After a new configuration the cloud is asked again. */
  forget(): void;
}

interface StsSources extends CredentialSources {
  readonly profile: AwsProfile;
}

export function createStsClients(sources: StsSources): StsClients {
  let known: StsClient | undefined;
  return {
    client() {
      known ??= newClient(sources);
      return known;
    },
    forget() {
      known = undefined;
    },
  };
}

function newClient(sources: StsSources): StsClient {
  const [region] = stsRegions(readRootConfig(sources.storage), sources.environment);
  const caller = rootCredentials(sources);
  try {
    if (sources.profile.asksIdentity) sources.identity.callerIdentity(caller);
  } catch (error) {
    if (error instanceof CloudFailure) throw new Error("could not obtain sts client");
    throw error;
  }
  return { caller, region };
}
