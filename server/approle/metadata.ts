import { goQuoted } from "../framework/go-quoted";
import { JsonFailure } from "../framework/json-failure";
import { readJson } from "../framework/json-reader";
import { Refusal } from "../framework/refusal";
import { isWireObject, wireValue } from "../framework/wire-value";

/** Metadata as Go's `ParseArbitraryKeyValues` reads it: a JSON object of texts or `key=value` pairs, each also in Base64. @throws Refusal */
export function metadataFrom(sent: string): Readonly<Record<string, string>> {
  const text = decoded(sent.trim());
  const metadata = textsIn(text) ?? pairsIn(text);
  const empty = Object.entries(metadata).find(([key, value]) => key !== "" && value === "");
  if (empty !== undefined) throw refusal(`invalid value for key ${goQuoted(empty[0])}`);
  return metadata;
}

function decoded(text: string): string {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  return isBase64 ? Buffer.from(text, "base64").toString() : text;
}

function textsIn(text: string): Record<string, string> | undefined {
  try {
    const value = wireValue(readJson(text));
    const members = isWireObject(value) ? Object.entries(value) : undefined;
    return members?.every((member): member is [string, string] => typeof member[1] === "string")
      ? Object.fromEntries(members)
      : undefined;
  } catch (failure) {
    if (failure instanceof JsonFailure) return undefined;
    throw failure;
  }
}

function pairsIn(text: string): Record<string, string> {
  const pairs = text
    .toLowerCase()
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  return Object.fromEntries(pairs.map(pairIn));
}

function pairIn(pair: string): [key: string, value: string] {
  const [key = "", value = "", ...more] = pair.split("=").map((part) => part.trim());
  const problem = "failed to parse the input: invalid <key,value>";
  if (!pair.includes("=") || more.length > 0) throw refusal(`${problem} format`);
  if (key === "" || value === "") throw refusal(`${problem} pair: key: ${goQuoted(key)} value: ${goQuoted(value)}`);
  return [key, value];
}

function refusal(reason: string): Refusal {
  return new Refusal(`failed to parse metadata: ${reason}`);
}
