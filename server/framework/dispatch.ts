import type { Backend, OperationRequest, Path, Reply } from "./backend";
import { type CoercionWords, causeText } from "./coercion-problem";
import { createFieldData, type FieldData, FieldFailure } from "./field-data";
import type { Fields } from "./field-type";
import { compareBytes } from "./go-format";
import { Failure, Refusal } from "./refusal";
import type { WireObject, WireValue } from "./wire-value";

export interface MatchedPath {
  readonly path: Path;
  readonly captures: Readonly<Record<string, string>>;
}

/** How a product words a value that does not fit its field. */
export interface CoercionProfile {
  readonly words: CoercionWords;
  /** The start of the text, before the cause. */
  failure(field: string, supplied: WireValue): string;
}

const compiledPatterns = new WeakMap<Path, RegExp>();

/** Finds the first path of the table whose pattern matches, or `undefined`. */
export function matchPath(backend: Backend, relativePath: string): MatchedPath | undefined {
  for (const path of backend.paths) {
    const match = patternOf(path).exec(relativePath);
    if (match === null) continue;
    const captured = Object.entries(match.groups ?? {}).filter(([, text]) => text !== undefined);
    return { path, captures: Object.fromEntries(captured) };
  }
  return undefined;
}

/** Whether the path is one of the product that is not imitated. */
export function isUnsupported(backend: Backend, relativePath: string): boolean {
  if (backend.unsupported === undefined || matchPath(backend, relativePath) !== undefined) return false;
  return new RegExp(`^(?:${backend.unsupported.join("|")})/?$`).test(relativePath);
}

function patternOf(path: Path): RegExp {
  const known = compiledPatterns.get(path);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^(?:${path.pattern})$`);
  compiledPatterns.set(path, pattern);
  return pattern;
}

/** Whether the record exists, for paths that ask; coercion failures carry no prefix here. */
export function recordExists(
  matched: MatchedPath,
  { body, mount, coercion }: Pick<Dispatch, "body" | "mount" | "coercion">,
): boolean | undefined {
  if (matched.path.existenceCheck === undefined) return undefined;
  return matched.path.existenceCheck({ data: decode(matched, { body, coercion, prefix: "" }), mount });
}

export interface Dispatch extends Omit<OperationRequest<Fields>, "data"> {
  readonly relativePath: string;
  readonly body: WireObject;
  readonly coercion: CoercionProfile;
}

/** Runs one operation of a back end: coercion, the operation, and the warnings about ignored fields. */
export async function dispatch(backend: Backend, request: Dispatch): Promise<Reply | undefined> {
  const { relativePath, body, coercion, ...context } = request;
  const matched = matchPath(backend, relativePath);
  if (matched === undefined) throw new Failure("unsupported path", { status: 404 });
  const handler = matched.path.operations[context.operation];
  if (handler === undefined) throw new Failure("unsupported operation", { status: 405 });
  const data = decode(matched, { body, coercion, prefix: "Field validation failed: " });
  const reply = await handler({ ...context, data });
  if (reply === undefined) return undefined;
  const warnings = [...(reply.warnings ?? []), ...parameterWarnings(matched, body)];
  return { ...reply, ...(reply.data && { data: without(reply.data, matched.path.hides) }), warnings };
}

function decode(
  { path, captures }: MatchedPath,
  { body, coercion, prefix }: Pick<Dispatch, "body" | "coercion"> & { prefix: string },
): FieldData<Fields> {
  try {
    return createFieldData(path.fields, { ...without(body, path.ignores), ...captures });
  } catch (failure) {
    if (!(failure instanceof FieldFailure)) throw failure;
    const { field, supplied, problem } = failure;
    throw new Refusal(`${prefix}${coercion.failure(field, supplied)}: ${causeText(problem, coercion.words)}`);
  }
}

function without<T>(members: Readonly<Record<string, T>>, names: readonly string[] = []): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

function parameterWarnings({ path, captures }: MatchedPath, body: WireObject): string[] {
  const names = Object.keys(body).sort(compareBytes);
  const isUnknown = (name: string) => !Object.hasOwn(path.fields, name) || path.ignores?.includes(name);
  const unknown = path.takesAnything ? [] : names.filter(isUnknown);
  const replaced = names.filter((name) => Object.hasOwn(captures, name));
  return [
    ...(unknown.length > 0 ? [`Endpoint ignored these unrecognized parameters: [${unknown.join(" ")}]`] : []),
    ...(replaced.length > 0
      ? [
          `Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [${replaced.join(" ")}]`,
        ]
      : []),
  ];
}
