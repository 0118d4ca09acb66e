import { ProviderError } from "../core/errors";

type Environment = Readonly<Record<string, string | undefined>>;

/** The region for which a login is signed. */
export interface SigningRegion {
  /** Undefined for the global endpoint. */
  readonly region: string | undefined;
  /** What was not read, for whoever finds the signature wrong. */
  readonly unread?: string;
}

/**
 * As Vault's own command: the global endpoint unless the login says otherwise, as that is the one which a server asks
 * unless its configuration does; `auto` for the region of the environment. That endpoint knows no keys of another
 * partition, so their region counts by itself.
 * @throws ConfigError for what is no region
 */
export function signingRegion(ofLogin: string | undefined, env: Environment): SigningRegion {
  if (ofLogin !== undefined && ofLogin !== "auto") return { region: checked(ofLogin, "the login") };
  const variable = VARIABLES.find((name) => env[name]);
  const ambient = (variable && env[variable]) ?? "";
  if (variable !== undefined && (ofLogin === "auto" || OTHER_PARTITION.test(ambient)))
    return { region: checked(ambient, variable) };
  if (ofLogin === "auto")
    throw new ProviderError(
      "ConfigError",
      `region: auto takes the region of ${VARIABLES.join(" or ")}, and neither is set: set one, or name the region`,
    );
  const unread = `${variable} says ${ambient}, which is read where the login has region: auto.`;
  return { region: undefined, ...(variable === undefined ? {} : { unread }) };
}

const VARIABLES = ["AWS_REGION", "AWS_DEFAULT_REGION"];
const OTHER_PARTITION = /^(cn|us-gov)-/;

/** It becomes part of a host name. */
function checked(region: string, place: string): string {
  if (/^[a-z0-9-]+$/.test(region)) return region;
  throw new ProviderError(
    "ConfigError",
    `region ${JSON.stringify(region)} of ${place} is no region of AWS, such as eu-west-1`,
  );
}
