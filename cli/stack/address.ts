/**
 * A resource in a text such as `module.a.trustplane_jwt_role.ci["x"]`, or a provider such as `provider["…"].east`. One that OpenTofu
 * repeats by `for_each` is `provider["…"].by["east"]`.
 */
export interface AddressParts {
  readonly type: string;
  /** Of a resource its whole address, of a provider its alias as a program writes it, or `default`. */
  readonly name: string;
}

/** True for what Terraform calls a resource or a provider, false for a URN of Pulumi. */
export function isAddress(text: string): boolean {
  return text !== "" && !text.startsWith("urn:");
}

/** The type and name in an address. Keys of instances may hold any characters. */
export function partsOfAddress(address: string): AddressParts {
  const words = withoutKeys(address).split(".");
  while (words[0] === "module") words.splice(0, 2);
  const [type = "", alias = ""] = words;
  if (type !== "provider") return { type, name: address };
  const key = address.match(KEYS)?.at(-1) ?? "";
  const isLast = address.endsWith(key);
  return { type, name: alias === "" ? "default" : `${alias}${isLast ? key : ""}` };
}

/** `module.a.vault_policy.p` of `module.a["x"].vault_policy.p[0]`; a URN as it is. */
export function withoutKeys(address: string): string {
  return isAddress(address) ? address.replace(KEYS, "") : address;
}

const KEYS = /\["(?:[^"\\]|\\.)*"\]|\[\d+\]/g;
