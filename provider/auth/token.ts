import { readFile } from "node:fs/promises";
import { ProviderError } from "../core/errors";
import { type HostVariable, hostVariable, type TokenFile, terraformToken } from "./terraform-credentials";

/** One place where a token may be. */
export type TokenPlace =
  | { readonly variable: string }
  | HostVariable
  /** A file that an explicit setting names must be there; that of another tool need not. */
  | { readonly file: string; readonly mustExist: boolean }
  /** A file of Terraform's command, which has tokens by host. It need not be there. */
  | TokenFile
  /** A token of the configuration. */
  | { readonly configured: string };

/** Where a token may come from. */
export interface TokenSources {
  /** The first that has a token counts. */
  readonly places: readonly TokenPlace[];
  /** What names these places, such as `trustplane:connections.west`; none of them having a token is an error then. */
  readonly namedBy?: string;
  /** What to do when none is found. */
  readonly advice: string;
}

export interface FoundToken {
  readonly token: string;
  readonly from: "environment" | "file" | "configuration" | "login";
  /** The variable, the file or the setting, as a user knows it. */
  readonly place: string;
  /** That in which a login has issued it. */
  readonly namespace?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the token. Undefined when there is none: some servers need none. @throws ConfigError where one was named. */
export async function findToken(sources: TokenSources, env: Environment): Promise<FoundToken | undefined> {
  for (const place of sources.places) {
    const found = await tokenIn(place, env);
    if (found) return found;
  }
  if (sources.namedBy === undefined) return undefined;
  const variables = sources.places.flatMap((place) => ("variable" in place ? [place.variable] : [])).join(" and ");
  throw new ProviderError(
    "ConfigError",
    `the environment variable ${variables}, which ${sources.namedBy} names in tokenEnv, is empty or not set. Set it: no other token is sent instead.`,
  );
}

async function tokenIn(place: TokenPlace, env: Environment): Promise<FoundToken | undefined> {
  if ("host" in place) return hostToken(place);
  if ("file" in place) return fileToken(place);
  if ("configured" in place) return { token: checked(place.configured), from: "configuration", place: "`token`" };
  const name = "prefix" in place ? hostVariable(place, env) : place.variable;
  const text = env[name]?.trim();
  return text ? { token: checked(text), from: "environment", place: name } : undefined;
}

async function fileToken({ file, mustExist }: { file: string; mustExist: boolean }): Promise<FoundToken | undefined> {
  const token = mustExist ? await namedFile(file, "token file") : await readFile(file, "utf8").catch(() => "");
  return token.trim() === "" ? undefined : { token: checked(token.trim()), from: "file", place: file };
}

/** The text of a file that the configuration names. @throws ConfigError where it has none */
export async function namedFile(path: string, what = "file"): Promise<string> {
  const text = (await readFile(path, "utf8").catch(() => undefined))?.trim();
  if (text) return text;
  throw new ProviderError("ConfigError", `the ${what} ${path} ${text === undefined ? "cannot be read" : "is empty"}`);
}

async function hostToken(place: TokenFile): Promise<FoundToken | undefined> {
  const token = await terraformToken(place);
  return token === undefined ? undefined : { token: checked(token), from: "file", place: place.file };
}

/** A line break or blank inside would end up in a header. */
function checked(token: string): string {
  if (/[^\x21-\x7e]/.test(token))
    throw new ProviderError("ConfigError", "the token holds blanks or other characters that no token has");
  return token;
}
