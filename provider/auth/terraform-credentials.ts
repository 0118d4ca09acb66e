import { readFile } from "node:fs/promises";
import { ProviderError } from "../core/errors";
import { readHcl } from "../core/hcl";
import { type HclBody, type HclItem, isHclBody } from "../core/hcl-body";

/** A file of Terraform's command, and the host for which a token is wanted, as in the address of the server. */
export interface TokenFile {
  readonly file: string;
  readonly host: string;
}

/**
 * The token for a host in the configuration of Terraform's command, or in what `terraform login` wrote. Nothing else in the
 * file is looked at. Undefined where the file or the host is not there.
 * @throws ConfigError where it cannot be read: another token than the one that is meant would be sent
 */
export async function terraformToken({ file, host }: TokenFile): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
    const what = `${file}, where Terraform's command has tokens, cannot be read (${error.code})`;
    throw new ProviderError("ConfigError", `${what}. Make it readable for this user, or name a token.`);
  });
  const body = readHcl(text);
  if (typeof body === "string") {
    // What is wrong may be a part of a token.
    const [line = ""] = /\(line \d+\)$/.exec(body) ?? [];
    const what = `${file} cannot be read as a file of Terraform's command ${line}`.trimEnd();
    throw new ProviderError("ConfigError", `${what}. Repair it, or name a token.`);
  }
  const credentials = credentialsIn(body).findLast(({ keys }) => hostOf(keys[1] ?? "") === host);
  if (credentials === undefined) return undefined;
  const token = isHclBody(credentials.value) ? credentials.value.items.find(({ keys }) => keys[0] === "token") : null;
  if (token === undefined) return undefined;
  if (typeof token?.value === "string") return token.value.trim() || undefined;
  const what = `credentials "${host}" of ${file} hold no token as a text`;
  throw new ProviderError("ConfigError", `${what}. Repair it, or name a token.`);
}

/** Each with the keys `credentials` and the host, also where all are in one block. */
function credentialsIn({ items }: HclBody): readonly HclItem[] {
  return items.flatMap((item) => {
    if (item.keys[0] !== "credentials") return [];
    if (item.keys.length > 1 || !isHclBody(item.value)) return [item];
    return item.value.items.map(({ keys, value }) => ({ keys: ["credentials", ...keys], value }));
  });
}

/** A variable of Terraform's command for one host, in its usual spelling. */
export interface HostVariable {
  readonly variable: string;
  readonly prefix: string;
  readonly forHost: string;
}

/** As it is spelled here: Terraform takes a dot as it is or as `_`, and a hyphen as it is or as `__`. */
export function hostVariable(
  { variable, prefix, forHost }: HostVariable,
  env: Readonly<Record<string, unknown>>,
): string {
  if (env[variable]) return variable;
  const hostIn = (name: string) => hostOf(name.slice(prefix.length).replaceAll("__", "-").replaceAll("_", "."));
  const spelled = Object.keys(env).find((name) => env[name] && name.startsWith(prefix) && hostIn(name) === forHost);
  return spelled ?? variable;
}

/** As an address has it: names of other alphabets in their form for DNS. */
function hostOf(name: string): string | undefined {
  const url = `https://${name}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}
