import { X509Certificate } from "node:crypto";
import { readJson } from "../framework/json-reader";
import { ConsulRefusal } from "./consul-refusal";
import { decodeGoBase64 } from "./go-base64";
import { decodeGoStruct, type GoStruct, type GoValue } from "./go-struct";

/** The content of a token, keys in the order of the wire. */
const tokenStruct = {
  package: "structs",
  name: "PeeringToken",
  fields: {
    CA: "[]string",
    ManualServerAddresses: "[]string",
    ServerAddresses: "[]string",
    ServerName: "string",
    PeerID: "string",
    EstablishmentSecret: "string",
    Remote: {
      package: "structs",
      name: "PeeringTokenRemote",
      fields: {
        Partition: "string",
        Datacenter: "string",
        Locality: {
          package: "structs",
          name: "Locality",
          pointer: true,
          fields: { Region: "string", Zone: "string" },
        },
      },
    },
  },
} as const satisfies GoStruct;

export type PeeringToken = GoValue<typeof tokenStruct>;

export function encodePeeringToken(token: PeeringToken): string {
  return Buffer.from(JSON.stringify(token)).toString("base64");
}

/**
 * Decodes and checks a token as the establishing cluster does, in its order and words.
 * @throws ConsulRefusal 500
 */
export function parsePeeringToken(text: string): PeeringToken {
  const token = decode(text);
  for (const pem of token.CA ?? []) {
    const failure = certificateFailure(pem);
    if (failure !== undefined) throw new ConsulRefusal(500, `peering token invalid CA: ${failure}`);
  }
  const addresses = [...(token.ManualServerAddresses ?? []), ...(token.ServerAddresses ?? [])];
  if (addresses.length === 0) throw new ConsulRefusal(500, "peering token server addresses value is empty");
  for (const address of addresses) {
    if (!hasHostAndPort(address)) throw new ConsulRefusal(500, `${address} is not a valid peering server address`);
  }
  if (token.CA?.length && token.ServerName === "") {
    throw new ConsulRefusal(500, "peering token server name value is empty");
  }
  if (token.PeerID === "") throw new ConsulRefusal(500, "peering token peer ID value is empty");
  return token;
}

function decode(text: string): PeeringToken {
  const json = refusedAs("failed to decode token: ", () => decodeGoBase64(text).toString("utf8"));
  return refusedAs("", () => decodeGoStruct(tokenStruct, readJson(json), { refusesUnknown: false }));
}

function refusedAs<T>(prefix: string, act: () => T): T {
  try {
    return act();
  } catch (failure) {
    if (failure instanceof Error) throw new ConsulRefusal(500, `${prefix}${failure.message}`);
    throw failure;
  }
}

function certificateFailure(pem: string): string | undefined {
  const block = /-----BEGIN ([^\n-]+)-----\r?\n([\s\S]*?)-----END \1-----/.exec(pem);
  if (block === null) return "no PEM-encoded data found";
  if (block[1] !== "CERTIFICATE") return "first PEM-block should be CERTIFICATE type";
  try {
    new X509Certificate(Buffer.from(block[2] ?? "", "base64"));
    return undefined;
  } catch {
    return "x509: malformed certificate";
  }
}

/** Go's SplitHostPort and a port number; the host may be anything without a colon, even nothing. */
function hasHostAndPort(address: string): boolean {
  const port = /^(?:\[[^[\]]*\]|[^:[\]]*):([+-]?\d+)$/.exec(address)?.[1];
  return port !== undefined && Number(port) > 0 && Number(port) < 65536;
}
