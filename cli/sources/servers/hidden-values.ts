import type { ServerInfo } from "../../../provider/core/availability";
import { isEmpty, picked } from "../../../provider/core/canonical";
import { type Checked, check } from "../../../provider/core/check";
import type { Definition, Values } from "../../../provider/core/definition";
import { textOf } from "../../../provider/core/errors";
import { secretProperties } from "../../../provider/core/fingerprint";
import { isRecord, UNKNOWN } from "../../../provider/core/unknowns";

/** A value that the program needs and no server shows. */
export interface HiddenValue {
  readonly property: string;
  /** Of a map, the part that the server shows. */
  readonly shown?: Values;
}

/** What a record becomes: a resource of the program, with the values that are still to be set; or a reason why not. */
export type Judgement =
  | { readonly hidden: readonly HiddenValue[]; readonly odd?: string }
  | { readonly refusal: string };

interface Circumstances {
  readonly state?: Values | undefined;
  /** Community editions store and show what only Enterprise can use, and a preview refuses it there. */
  readonly server?: ServerInfo | undefined;
}

/** Decides from the table alone which values of a record are missing, and whether the rest is valid. */
export function judge(
  definition: Definition,
  values: Values,
  { state = values, server }: Circumstances = {},
): Judgement {
  const rounded = Object.keys(values).find((property) => hasRounded(values[property]));
  if (rounded !== undefined)
    return { refusal: `${rounded} has a number above 2^53, which was rounded when it was read` };
  const broken = definition.broken?.(state) ?? [];
  if (broken.length > 0) return { refusal: `it needs a repair (${broken.join(", ")}), which an update would make` };
  const checked = check(definition, values, {}, server);
  const hidden = hiddenValues(definition, values, checked);
  if (hidden.length === 0 && checked.failures.length === 0) return { hidden };
  const unknown = Object.fromEntries(hidden.map(({ property }) => [property, UNKNOWN]));
  const program = { ...values, ...unknown };
  const { failures } = check(definition, program, {}, server);
  if (failures.length === 0) return { hidden };
  const { failures: open } = check(definition, program, values, server);
  return open.length > 0 ? { refusal: textOf(open) } : { hidden, odd: textOf(failures) };
}

/** Whether it has a whole number of which JavaScript knows only a neighbour. */
function hasRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasRounded);
}

function hiddenValues(definition: Definition, values: Values, { failures }: Checked): HiddenValue[] {
  const { fields, secrets, writeOnly } = definition;
  const secret = secretProperties(definition, values);
  const refused = new Set(failures.map(({ property }) => property.split(/[.[]/)[0]));
  return Object.keys(fields).flatMap((property): HiddenValue[] => {
    const value = values[property];
    const rule = secrets[property];
    const hidesMembers = typeof rule === "object" && "members" in rule;
    // Nothing tells a map without secret members from one whose secret members are left out.
    if (hidesMembers && isRecord(value) && !isEmpty(value) && !hasNoSecrets(value))
      return [{ property, shown: withoutMembers(value, rule.members) }];
    if (!isEmpty(value)) return secret.includes(property) ? [{ property }] : [];
    const isSensitive = typeof rule === "object" && "flag" in rule && secret.includes(property);
    const isMissed = (rule !== undefined || writeOnly.includes(property)) && refused.has(property);
    return isSensitive || isMissed ? [{ property }] : [];
  });
}

/** The one provider of identities whose options are none of them secret. */
function hasNoSecrets(value: Values): boolean {
  return value["provider"] === "azure";
}

function withoutMembers(map: Values, members: readonly string[]): Values {
  return picked(
    map,
    Object.keys(map).filter((name) => !members.includes(name)),
  );
}
