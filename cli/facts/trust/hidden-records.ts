import { isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { readPolicy } from "../../../provider/resources/sys/policy-text";
import { shownName } from "./not-shown";
import { hiddenText } from "./trust-change";

/** A record that cannot be played: a part of it is secret or not known yet, or we cannot read it. */
export interface HiddenRecord {
  readonly definition: Definition;
  readonly values: Values;
  /** In one sentence. */
  readonly reason: string;
}

/** Undefined for a record that is known as a whole. */
export function hiddenRecord(definition: Definition, values: Values): HiddenRecord | undefined {
  const hidden = Object.keys(values).filter((name) => hasUnknown(values[name]));
  const why = hidden.length > 0 ? hiddenText(hidden) : unreadText(definition, values);
  const title = titleOfRecord(definition, values);
  return why === undefined ? undefined : { definition, values, reason: `${title} cannot be tested: ${why}.` };
}

/** Servers have texts that newer ones refuse. */
function unreadText({ token }: Definition, { policy }: Values): string | undefined {
  if (token !== definitions.sysPolicy.token || isEmpty(policy)) return undefined;
  const read = readPolicy(String(policy));
  return typeof read === "string" ? `its text cannot be read: ${read}` : undefined;
}

export function titleOfRecord({ token, label }: Definition, values: Values): string {
  const kind = token.replace(":", ".");
  return isEmpty(values[label]) ? kind : `${kind} ${shownName(values[label])}`;
}

/** True where the record may have a part in a login with this role. Policies have none: they say what comes after it. */
export function mayTouch({ definition, values }: HiddenRecord, mount: string, role: string | undefined): boolean {
  const { path, alias } = values;
  switch (definition.token) {
    case definitions.sysAuthMount.token:
      return mayBe(path, mount);
    case definitions.jwtConfig.token:
      return mayBe(values["mount"], mount);
    case definitions.jwtRole.token:
      return mayBe(values["mount"], mount) && (role === undefined || mayBe(values["name"], role));
    case definitions.identityGroup.token:
      return mayBe(isRecord(alias) ? alias["mount"] : alias, mount);
    default:
      return false;
  }
}

function mayBe(value: unknown, wanted: string): boolean {
  return hasUnknown(value) || value === wanted;
}
