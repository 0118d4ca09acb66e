import { lstatSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { serviceDefaults } from "../../../provider/core/connection-entry";
import { ProviderError } from "../../../provider/core/errors";
import { codeOf } from "../../../provider/http/send";
import { replaceFile } from "../../io/write-report";

/** Where the command lines of Vault and OpenBao keep the token of a person. */
export function tokenPath(): string {
  const path = join(homedir(), serviceDefaults.secrets.homeFile);
  // With an empty HOME it would be in the folder of the program, perhaps in its repository.
  if (!isAbsolute(path)) throw refusal(path, "HOME is not the path of a folder");
  return path;
}

/** Keeps a token for later commands. Only its owner can read the file, which is written completely or not at all. */
export function storeToken(path: string, token: string): void {
  const target = ownTarget(path);
  try {
    replaceFile(target, token, 0o600);
  } catch (error) {
    throw refusal(path, codeOf(error));
  }
}

/** The file itself, or that to which a link leads. @throws ConfigError for one that is not the user's own */
export function ownTarget(path: string): string {
  const old = statsOf(path);
  if (old === undefined) return path;
  const target = old.isSymbolicLink() ? targetOf(path) : path;
  const found = statsOf(target);
  // Whoever has put a link there would get the token.
  if (isForeign(old) || (found && isForeign(found))) throw refusal(path, "it belongs to another user");
  if (!found?.isFile()) throw refusal(path, "it is no file");
  return target;
}

function targetOf(link: string): string {
  try {
    return realpathSync(link);
  } catch (error) {
    throw refusal(link, `a link that leads nowhere, ${codeOf(error)}`);
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw refusal(path, codeOf(error));
  }
}

/** Windows has no such numbers. */
function isForeign({ uid }: Stats): boolean {
  return process.getuid !== undefined && uid !== process.getuid();
}

function refusal(path: string, reason: string): ProviderError {
  const todo = "Correct that, or give --no-store to have the token printed instead.";
  return new ProviderError("ConfigError", `the token cannot be stored in ${path} (${reason}). ${todo}`);
}
