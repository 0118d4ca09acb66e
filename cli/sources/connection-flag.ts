import { InvalidArgumentError, Option } from "commander";
import * as z from "zod";
import { connectionFields, SERVICE_NAMES } from "../../provider/core/connection-entry";
import type { RawEntry } from "../stack/stack-configuration";

/** The fields of a connection on the command line. What is secret is none: all users of a machine can read its command lines. */
const flagSchema = z
  .strictObject({
    service: z.enum(SERVICE_NAMES),
    address: connectionFields.address,
    namespace: connectionFields.namespace,
    partition: connectionFields.partition,
    tokenEnv: connectionFields.tokenEnv,
    tokenFile: connectionFields.tokenFile,
    httpAuthEnv: connectionFields.httpAuthEnv,
    caCertFile: connectionFields.caCertFile,
    caCertPem: connectionFields.caCertPem,
    caCertDir: connectionFields.caCertDir,
    clientCertFile: connectionFields.clientCertFile,
    clientCertPem: connectionFields.clientCertPem,
    clientKeyFile: connectionFields.clientKeyFile,
    tlsServerName: connectionFields.tlsServerName,
  })
  .partial();

export type NamedConnections = ReadonlyMap<string, RawEntry>;

export function connectionOption(
  text = "address and credentials of a server that only the state names; repeatable; see below",
): Option {
  return new Option("--connection <name=address>", text).argParser(connectionFlag);
}

/** Reads `west=https://consul.west.example.com,tokenEnv=WEST_TOKEN`, which may be given several times. */
export function connectionFlag(text: string, before: NamedConnections = new Map()): NamedConnections {
  const [name = "", address = "", ...fields] = text.split(/(?<=^[^=]*)=|,/);
  const pairs = fields.map((field) => [field.split("=", 1)[0], field.slice(field.indexOf("=") + 1)] as const);
  if (name === "" || address === "" || fields.some((field) => !/^\w+=./.test(field))) {
    throw new InvalidArgumentError("It is name=address, then fields: west=https://host,tokenEnv=WEST_TOKEN.");
  }
  const parsed = flagSchema.safeParse({ address, ...Object.fromEntries(pairs) });
  if (parsed.success) return new Map([...before, [name, parsed.data]]);
  const known = Object.keys(flagSchema.shape).filter((field) => field !== "address");
  const problems = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new InvalidArgumentError(`${problems.join("; ")}. The fields are ${known.join(", ")}.`);
}
