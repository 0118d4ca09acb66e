import type { Grant } from "../../provider/dialects/vault-policy";

/** A grant in one line. */
export function grantLine({ path, capabilities }: Grant): string {
  return `path ${JSON.stringify(path)} { capabilities = [${capabilities.map((word) => `"${word}"`).join(", ")}] }`;
}
