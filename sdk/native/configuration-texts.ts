import * as pulumi from "@pulumi/pulumi";

/** A provider's configuration is texts, as that of a stack is: each member as JSON. */
export function textsOf(args: object): pulumi.Inputs {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, pulumi.jsonStringify(value)]));
}
