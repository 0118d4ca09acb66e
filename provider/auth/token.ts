import { readFile } from "node:fs/promises";
import { ProviderError } from "../core/errors";

/** Where a token may come from; the first that is there wins. */
export interface TokenSources {
  /** Environment variables, in order. */
  readonly variables: readonly string[];
  /** Files, in order. A file that an explicit setting names must exist. */
  readonly files: readonly { readonly path: string; readonly mustExist: boolean }[];
  /** A token of the stored configuration. */
  readonly configured?: string;
}

export interface FoundToken {
  readonly token: string;
  readonly from: "environment" | "file" | "configuration";
}

/** Finds the token. The environment beats stored configuration, which may be the one of an earlier run. */
export async function findToken(
  sources: TokenSources,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundToken | undefined> {
  const variable = sources.variables.map((name) => env[name]?.trim()).find(Boolean);
  if (variable) return { token: checked(variable), from: "environment" };
  for (const { path, mustExist } of sources.files.filter((file) => file.mustExist)) {
    const token = await fileToken(path, mustExist);
    if (token) return { token, from: "file" };
  }
  if (sources.configured) return { token: checked(sources.configured), from: "configuration" };
  for (const { path } of sources.files.filter((file) => !file.mustExist)) {
    const token = await fileToken(path, false);
    if (token) return { token, from: "file" };
  }
  return undefined;
}

async function fileToken(path: string, mustExist: boolean): Promise<string | undefined> {
  try {
    const token = (await readFile(path, "utf8")).trim();
    if (token === "" && mustExist) throw new ProviderError("ConfigError", `the token file ${path} is empty`);
    return token === "" ? undefined : checked(token);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (mustExist) throw new ProviderError("ConfigError", `the token file ${path} cannot be read`);
    return undefined;
  }
}

/** A line break or blank inside would end up in a header. */
function checked(token: string): string {
  if (/[^\x21-\x7e]/.test(token))
    throw new ProviderError("ConfigError", "the token holds blanks or other characters that no token has");
  return token;
}
