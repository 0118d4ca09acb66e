import { invalidAttribute, type JsonApiError } from "./json-api";

export interface Parameter {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly category: string;
  readonly sensitive: boolean;
}

/** The attributes a request carries; what it leaves out stays as it is. */
export type ParameterChanges = Partial<Omit<Parameter, "id">>;

/** Limits documented for variables, whose type parameters share. */
const maximumKeyCharacters = 128;
const maximumValueBytes = 256 * 1024;

/** The change that a request makes to a parameter. `current` is absent on create; `others` are the rest of the set. */
export interface ParameterChange {
  readonly current?: Parameter;
  readonly changes: ParameterChanges;
  readonly others: readonly Parameter[];
}

/** Every reason to refuse a create or an update, attribute by attribute. */
export function parameterErrors({ current, changes, others }: ParameterChange): readonly JsonApiError[] {
  return [
    ...keyErrors(current === undefined ? (changes.key ?? "") : changes.key, others),
    ...categoryErrors(current === undefined ? (changes.category ?? "") : changes.category),
    ...valueErrors(changes.value),
    ...(current?.sensitive ? lockErrors(current, changes) : []),
  ];
}

function keyErrors(key: string | undefined, others: readonly Parameter[]): JsonApiError[] {
  if (key === undefined) return [];
  if (key.trim() === "") return [invalidAttribute("key", "Key can't be blank")];
  const errors: JsonApiError[] = [];
  if ([...key].length > maximumKeyCharacters) {
    errors.push(invalidAttribute("key", `Key is too long (maximum is ${maximumKeyCharacters} characters)`));
  }
  if (others.some((other) => other.key === key)) errors.push(invalidAttribute("key", "Key has already been taken"));
  return errors;
}

function categoryErrors(category: string | undefined): JsonApiError[] {
  if (category === undefined || category === "policy-set") return [];
  const unlisted = invalidAttribute("category", "Category is not included in the list");
  return category.trim() === "" ? [invalidAttribute("category", "Category can't be blank"), unlisted] : [unlisted];
}

function valueErrors(value: string | undefined): JsonApiError[] {
  if (value === undefined || Buffer.byteLength(value) <= maximumValueBytes) return [];
  return [invalidAttribute("value", `Value is too long (maximum is ${maximumValueBytes} bytes)`)];
}

/** Only the value of a sensitive parameter may change; repeating its key and flag is no change. */
function lockErrors(current: Parameter, changes: ParameterChanges): JsonApiError[] {
  const errors: JsonApiError[] = [];
  if (changes.key !== undefined && changes.key !== current.key) {
    errors.push(invalidAttribute("key", "Key cannot be updated for a sensitive variable"));
  }
  if (changes.sensitive === false) {
    errors.push(
      invalidAttribute(
        "sensitive",
        "Sensitive cannot be changed from true to false on saved records. To make this variable readable, destroy this record and create a new one with the same key value.",
      ),
      invalidAttribute("sensitive", "Sensitive cannot be updated for a sensitive variable"),
    );
  }
  return errors;
}
