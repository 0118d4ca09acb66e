/** A resource in a text such as `module.a.trustplane_jwt_role.ci["x"]`, or a provider such as `provider["…"].east`. */
export interface AddressParts {
  readonly type: string;
  /** Of a resource its whole address, of a provider its alias, or `default`. */
  readonly name: string;
}

/** True for what Terraform calls a resource or a provider, false for a URN of Pulumi. */
export function isAddress(text: string): boolean {
  return text !== "" && !text.startsWith("urn:");
}

/** The type and name in an address. Keys of instances may hold any characters. */
export function partsOfAddress(address: string): AddressParts {
  const words = address.replace(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]/g, "").split(".");
  while (words[0] === "module") words.splice(0, 2);
  const [type = "", name = ""] = words;
  return type === "provider" ? { type, name: name === "" ? "default" : name } : { type, name: address };
}
