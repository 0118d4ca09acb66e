import { readFileSync } from "node:fs";
import type { CloudCaller, CloudIdentity } from "../cloud/cloud-identity";
import type { AccessKey } from "../cloud/identity-records";
import type { Storage } from "../framework/storage";
import { type RootConfig, readRootConfig } from "./root-config";

/** The variables of the server's process: `CLOUD_…` name root credentials and regions. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where an engine's calls get their credentials from. */
export interface CredentialSources {
  readonly storage: Storage;
  readonly identity: CloudIdentity;
  readonly environment: Environment;
}

/**
 * What calls to the cloud are made with, in this order: the configuration, the environment, the shared
 * credentials file, the machine's role; `undefined` when there is nothing. Workload identity federation, second in that
 * order, is an Enterprise function.
 * @throws Error when the configuration has only half of a key.
 */
export function rootCredentials({ storage, ...sources }: CredentialSources): CloudCaller {
  return configuredCaller(readRootConfig(storage), sources);
}

/** The caller of a configuration with such fields. */
export function configuredCaller(
  config: Pick<RootConfig, "access_key" | "secret_key" | "max_retries"> | undefined,
  sources: Omit<CredentialSources, "storage">,
): CloudCaller {
  const retries = config?.max_retries ?? -1;
  const key = rootKey(config, sources);
  return key && { ...key, maxRetries: retries < 0 ? defaultRetries : retries };
}

/** The SDK's own. */
const defaultRetries = 3;

function rootKey(
  config: Pick<RootConfig, "access_key" | "secret_key"> | undefined,
  { identity, environment }: Omit<CredentialSources, "storage">,
): AccessKey | undefined {
  const { access_key = "", secret_key = "" } = config ?? {};
  if (access_key !== "" && secret_key !== "") return { accessKeyId: access_key, secretKey: secret_key };
  if (access_key !== "" || secret_key !== "") {
    throw new Error(
      "static AWS client credentials haven't been properly configured (the access key or secret key were provided but not both)",
    );
  }
  return keyFrom(environment) ?? sharedKey(environment) ?? identity.assignedCredentials();
}

function keyFrom(variables: Environment): AccessKey | undefined {
  const { CLOUD_ACCESS_KEY: accessKeyId = "", CLOUD_SECRET_KEY: secretKey = "" } = variables;
  return accessKeyId === "" || secretKey === "" ? undefined : { accessKeyId, secretKey };
}

/** The key of `CLOUD_PROFILE`, else of `default`. There is no default file: a test server must not use a person's own keys. */
function sharedKey({ CLOUD_SHARED_CREDENTIALS_FILE: file = "", CLOUD_PROFILE: profile = "default" }: Environment) {
  if (file === "") return undefined;
  const values = new Map<string, string>();
  let section = "";
  for (const line of textOf(file).split("\n")) {
    section = /^\s*\[\s*(.*?)\s*\]/.exec(line)?.[1] ?? section;
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (section === profile && name !== undefined && value !== undefined) values.set(name, value);
  }
  return keyFrom({
    CLOUD_ACCESS_KEY: values.get("cloud_access_key_id") ?? values.get("aws_access_key_id"),
    CLOUD_SECRET_KEY: values.get("cloud_secret_access_key") ?? values.get("aws_secret_access_key"),
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Like no file: the next source is asked.
    return "";
  }
}

/** The region where the configuration names none. */
function fallbackRegion({ CLOUD_REGION, CLOUD_DEFAULT_REGION }: Environment): string {
  return CLOUD_REGION || CLOUD_DEFAULT_REGION || "us-east-1";
}

/**
 * The regions in which temporary credentials are asked for, in order: with an endpoint of its own the configuration may name
 * a region for it, and others to fall back to.
 * @throws Error when regions and endpoints do not pair.
 */
export function stsRegions(config: RootConfig | undefined, environment: Environment): readonly [string, ...string[]] {
  const fallback = fallbackRegion(environment);
  if (config === undefined) return [fallback];
  const hasEndpoint = config.sts_endpoint !== "";
  const first = (hasEndpoint && config.sts_region) || config.region;
  const named = [...(first === "" ? [] : [first]), ...(hasEndpoint ? config.sts_fallback_regions : [])];
  const [region = fallback, ...others] = named;
  if (hasEndpoint && others.length !== config.sts_fallback_endpoints.length) {
    throw new Error("number of regions does not match number of endpoints");
  }
  return [region, ...others];
}
