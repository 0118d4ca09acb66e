import { isEmpty } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { hasUnknown, isRecord } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import { shownName } from "./not-shown";
import { hiddenText } from "./trust-change";

/** A record of a stack that cannot be played, because a part of it is secret or not known yet. */
export interface HiddenRecord {
  readonly definition: Definition;
  readonly values: Values;
  /** In one sentence. */
  readonly reason: string;
}

/** Undefined for a record that is known as a whole. */
export function hiddenRecord(definition: Definition, values: Values): HiddenRecord | undefined {
  const hidden = Object.keys(values).filter((name) => hasUnknown(values[name]));
  if (hidden.length === 0) return undefined;
  const title = titleOfRecord(definition, values);
  return { definition, values, reason: `${title} cannot be tested: ${hiddenText(hidden)}.` };
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
