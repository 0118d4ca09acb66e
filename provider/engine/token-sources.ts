import { homedir } from "node:os";
import { join } from "node:path";
import type { TokenPlace, TokenSources } from "../auth/token";
import type { ConnectionEntry, ServiceDefaults } from "../core/connection-entry";

/** One connection, as far as its token goes. */
export interface TokenOwner {
  /** Where its entry stands in the configuration. */
  readonly configKey: string;
  readonly entry: { readonly [K in "token" | "tokenEnv" | "tokenFile" | "login"]?: ConnectionEntry[K] | undefined };
  /** Of the server's address, as Terraform's command writes it. */
  readonly host: string;
  /** The run asks for a login: what else there is ambiently is not looked at. */
  readonly isLoginOfRun: boolean;
  /** It is shown by TLS that the server has that host's name. */
  readonly isProvedHost: boolean;
  /** Tokens that are each for one host: every connection may find the one of its own. */
  readonly hostTokens: ServiceDefaults["hostTokens"];
  readonly hostFiles: readonly string[];
  /** What the service's own connection finds without being told; a connection by name finds nothing. */
  readonly defaults: ServiceDefaults | undefined;
  /** The file that a variable of the ecosystem names. */
  readonly ambientFile: string | undefined;
  /** The ecosystem's variables are about this very server. */
  readonly isAmbientServer: boolean;
  /** The configuration may be that of an earlier run, as a stack's is at refresh and destroy. */
  readonly mayBeOld: boolean;
}

/**
 * Which token a server gets. What an entry names (`tokenEnv`, `tokenFile`, `token`, in this order) keeps out everything
 * ambient, so that no server gets the token of another. One exception: before the `token` or `login` of a configuration that may
 * be of an earlier run come the variables of the service's own connection.
 */
export function tokenSourcesOf(owner: TokenOwner): TokenSources {
  const { configKey, entry } = owner;
  const ambient = [...ambientPlaces(owner), ...hostPlaces(owner)];
  const configured: TokenPlace[] = entry.token ? [{ configured: entry.token }] : [];
  const advice = adviceOf(owner, ambient);
  if (entry.tokenEnv || entry.tokenFile) {
    const variable: TokenPlace[] = entry.tokenEnv ? [{ variable: entry.tokenEnv }] : [];
    const file: TokenPlace[] = entry.tokenFile ? [{ file: entry.tokenFile, mustExist: true }] : [];
    return { places: [...variable, ...file, ...configured], namedBy: configKey, advice };
  }
  if (owner.isLoginOfRun) return { places: [], advice };
  if (entry.token && !owner.mayBeOld) return { places: configured, advice };
  const isOfAnotherTool = (place: TokenPlace) => "host" in place || ("file" in place && !place.mustExist);
  if (entry.login) return { places: owner.mayBeOld ? ambient.filter((place) => !isOfAnotherTool(place)) : [], advice };
  return {
    places: [...ambient.filter((place) => !isOfAnotherTool(place)), ...configured, ...ambient.filter(isOfAnotherTool)],
    advice,
  };
}

function ambientPlaces({ defaults, ambientFile, isAmbientServer }: TokenOwner): TokenPlace[] {
  if (defaults === undefined || !isAmbientServer) return [];
  const { homeFile, environment } = defaults;
  return [
    // As Consul's own tools do where the environment names both.
    ...(ambientFile
      ? [{ file: ambientFile, mustExist: true }]
      : (environment.token ?? []).map((variable) => ({ variable }))),
    ...(homeFile ? [{ file: join(homedir(), homeFile), mustExist: false }] : []),
  ];
}

function hostPlaces({ host, hostTokens, hostFiles, isProvedHost }: TokenOwner): TokenPlace[] {
  if (hostTokens === undefined || !isProvedHost) return [];
  const { variable } = hostTokens;
  // Names of variables have neither dots nor hyphens.
  const name = host.replaceAll("-", "__").replaceAll(".", "_");
  return [
    ...(/^\w+$/.test(name) ? [{ variable: `${variable}${name}`, prefix: variable, forHost: host }] : []),
    ...hostFiles.map((file) => ({ file, host })),
  ];
}

/** Where a token was looked for in vain, and where to put one. */
function adviceOf(
  { configKey, defaults, hostTokens, isProvedHost }: TokenOwner,
  ambient: readonly TokenPlace[],
): string {
  const places = ambient.flatMap((place) =>
    "variable" in place ? [place.variable] : "file" in place ? [place.file.replace(homedir(), "~")] : [],
  );
  const named = `\`tokenEnv\` or \`tokenFile\` in ${configKey}`;
  if (places.length === 0) return `No token was found: give ${named}; the environment's own is for another server.`;
  const how = defaults?.loginCommand && places.length > 1 ? `, as \`${defaults.loginCommand}\` does` : "";
  const isKept = hostTokens !== undefined && !isProvedHost;
  const rest = isKept ? "The tokens of Terraform's command are sent by https only." : defaults?.notAsked;
  const text = `No token was found in ${places.join(", ")}: put one there${how}, or give ${named}.`;
  return rest === undefined ? text : `${text} ${rest}`;
}
