import type { Definition, Values } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import { withFingerprints } from "../../core/fingerprint";
import { trimSlashes } from "../../core/rows";
import { fill, parse, placeholders } from "../../core/template";
import { tenantProperty } from "../../core/tenant";
import { isRecord } from "../../core/unknowns";
import { type Host, type Said, tableOf } from "./call";
import { bytesOf } from "./kept";
import { ORIGINS, type Origin, PARTS } from "./origins";
import type { Request, WireState } from "./protocol";
import { stateOf } from "./state";
import { messageOf } from "./value";

/**
 * A record that another provider had until now: its address, and the fingerprints of the secrets that were sent. The
 * provider has no configuration yet, so the read that follows asks the server for everything else.
 */
export async function moveResourceState(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, { typeName: request.targetTypeName });
  const { definition } = table;
  const theirs = attributesIn(request.sourceState);
  const origin = originOf(definition, request.sourceTypeName, theirs);
  if (origin === undefined) throw refusal(host, request, theirs);
  const { id, values } = addressOf(definition, origin, theirs);
  const secrets = Object.entries(origin.secrets ?? {}).map(([name, attribute]) => [name, theirs[attribute]] as const);
  const state = withFingerprints(definition, { ...values, ...Object.fromEntries(secrets) }, {});
  const { record, kept } = stateOf(table, { id, state });
  return { answer: { targetState: messageOf(record), targetPrivate: bytesOf({ ...kept, isMoved: true }) } };
}

function attributesIn(state: WireState | null): Values {
  const json = state?.json;
  const read: unknown = json && json.length > 0 ? JSON.parse(new TextDecoder().decode(json)) : undefined;
  if (isRecord(read)) return read;
  const hint = "Apply once with a newer release of the provider that wrote it";
  throw new ProviderError("InputError", `the state to move is in the form of Terraform 0.11. ${hint}.`);
}

function originOf({ token }: Definition, type: string, theirs: Values): Origin | undefined {
  return ORIGINS.find((origin) => origin.type === type && origin.token === token && fits(origin, theirs));
}

function fits({ when = {} }: Origin, theirs: Values): boolean {
  return Object.entries(when).every(([attribute, value]) => theirs[attribute] === value);
}

/** The id, with the values that it is made of in our form. */
function addressOf(definition: Definition, { from, type }: Origin, theirs: Values) {
  const tenant = tenantProperty(definition.dialect);
  const given = Object.entries(tenant === undefined ? from : { [tenant]: tenant, ...from }).map(([name, attribute]) => {
    const value = theirs[attribute] ?? undefined;
    return [name, typeof value === "string" ? trimSlashes(value) : value] as const;
  });
  const values: Values = Object.fromEntries(given);
  const id = fill(definition.id, values);
  const inId = parse(definition.id, id);
  if (inId === undefined) {
    throw new ProviderError("InputError", `the state of ${type} has no ${Object.values(from).join(" or no ")}`);
  }
  const names = placeholders(definition.id);
  const others = given.filter(([name, value]) => !names.includes(name) && value !== undefined && value !== "");
  return { id, values: { ...Object.fromEntries(others), ...inId } };
}

function refusal({ tables }: Host, { sourceTypeName, targetTypeName }: Request, theirs: Values): ProviderError {
  const moving = `${sourceTypeName} cannot be moved to ${targetTypeName}`;
  const part = PARTS[sourceTypeName];
  if (part !== undefined) return new ProviderError("InputError", `${moving}: ${part}.`);
  const tokens = ORIGINS.filter((each) => each.type === sourceTypeName && fits(each, theirs)).map(({ token }) => token);
  const names = [...tables.resources.values()].filter(({ definition }) => tokens.includes(definition.token));
  const known = names.map(({ typeName }) => typeName).join(" or ");
  const hint =
    known === "" ? "Import the record, and remove it from the other resource's state" : `Move it to ${known}`;
  return new ProviderError("InputError", `${moving}: it is another record. ${hint}.`);
}
