/** Properties as Pulumi's engine holds them: what is secret is in an envelope, at any depth. */
export type Marked = Readonly<Record<string, unknown>>;

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

export function secret(value: unknown): Marked {
  return isSealed(value) ? value : { [SIGNATURE]: SECRET, value };
}

export function isSealed(value: unknown): value is Marked {
  return isObject(value) && value[SIGNATURE] === SECRET;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value without envelopes. */
export function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  if (isSealed(value)) return opened(value["value"]);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, opened(member)]));
}

export function openedAll(values: Marked): Marked {
  return opened(values) as Marked;
}

/** What `pulumi stack export` shows: what is in an envelope is encrypted. */
export function exported(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exported);
  if (!isObject(value)) return value;
  if (isSealed(value)) return "[secret]";
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, exported(member)]));
}

export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return isObject(value) && (isSealed(value) || Object.values(value).some(hasSecret));
}

/**
 * What the engine does with the answers of a provider that takes no secrets: where an input was one, the property of the
 * same name is, whole. Objects are gone into.
 */
export function annotated(answer: Marked, asked: Marked): Marked {
  const marked = Object.entries(answer).map(([key, value]) => {
    const question = asked[key];
    if (isObject(value) && isObject(question) && !isSealed(value) && !isSealed(question)) {
      return [key, annotated(value, question)] as const;
    }
    return [key, hasSecret(question) ? secret(value) : value] as const;
  });
  return Object.fromEntries(marked);
}

/** A copy as it goes over the wire: what is undefined is not there. */
export function wired<T>(values: T): T {
  return JSON.parse(JSON.stringify(values ?? {})) as T;
}
