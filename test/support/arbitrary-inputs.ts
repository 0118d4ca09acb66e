import type * as z from "zod";
import type { ServerInfo } from "../../provider/core/availability";
import { picked } from "../../provider/core/canonical";
import { checkResource } from "../../provider/core/check-set";
import type { Definition, Members, Values } from "../../provider/core/definition";
import { DEFAULTS, settingRows } from "../../provider/core/members";
import { definitions } from "../../provider/resources";
import { fc } from "./fast-check.ts";
import { certificatePem, type DefinitionName, peeringTokenText, publicKeyPem, validInputs } from "./valid-inputs";

/** Texts that some row or rule asks for; a schema or a rule picks what fits. */
const TEXTS = [
  "",
  "x",
  "Mixed Case",
  " padded ",
  "1h",
  "90m",
  "https://app.example.com/oidc/callback",
  "http://127.0.0.1:8250/oidc/callback",
  "10.0.0.0/8",
  "10.1.2.3/32",
  "2001:DB8::1/128",
  "192.0.2.7:8503",
  "arn:aws:iam::123456789012:policy/limit",
  '{ "Version": "2012-10-17", "Statement": [] }',
  "/team/",
  '{{ if (eq .Type "STS") }}a{{ else }}b{{ end }}',
  certificatePem,
  publicKeyPem(),
  peeringTokenText(),
];

/**
 * Inputs of a resource that pass `check`: a smallest valid input with further properties, each derived from its row. With a
 * server, none is added that it does not have.
 */
export function arbitraryInputs(name: DefinitionName, server?: ServerInfo): fc.Arbitrary<Values> {
  const definition: Definition = definitions[name];
  const properties = Object.entries(definition.fields).map(([property, field]) =>
    (arbitraryOfSet(definition, property, server) ?? arbitraryValue(field.schema)).map(
      (value) => [property, value] as const,
    ),
  );
  const additions = fc.array(fc.oneof(...properties), { maxLength: 6 });
  return fc
    .tuple(fc.constantFrom(...validInputs[name]), additions)
    .map(([start, added]) => grown(definition, start, added, server));
}

/** Records of a set, or the settings that they share, made of inputs of a single record: the rows of a set accept anything. */
function arbitraryOfSet(
  definition: Definition,
  property: string,
  server: ServerInfo | undefined,
): fc.Arbitrary<unknown> | undefined {
  const { members } = definition;
  if (!members || (property !== members.property && property !== DEFAULTS)) return undefined;
  const names = settingRows(definition, members).map(([name]) => name);
  const settings = arbitraryInputs(nameOf(members), server).map((inputs) => picked(inputs, names));
  return property === DEFAULTS
    ? settings
    : fc.dictionary(fc.constantFrom("deploy", "ci"), settings, { minKeys: 1, noNullPrototype: true });
}

function nameOf({ of }: Members): DefinitionName {
  const [name] = Object.entries<Definition>(definitions).find(([, definition]) => definition === of) ?? [];
  // The key is one of the index.
  return name as DefinitionName;
}

/** Any value that a row's schema accepts. */
export function arbitraryValue(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return shapeOf(schema).filter((value) => isAccepted(schema, value));
}

/** Adds one property after the other, and leaves out what the rules refuse beside the others. */
function grown(
  definition: Definition,
  start: Values,
  added: readonly (readonly [string, unknown])[],
  server: ServerInfo | undefined,
): Values {
  let inputs = start;
  for (const [property, value] of added) {
    const more = { ...inputs, [property]: value };
    if (checkResource(definition, more, {}, server).failures.length === 0) inputs = more;
  }
  return inputs;
}

function isAccepted(schema: z.core.$ZodType, value: unknown): boolean {
  const { issues } = schema._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload;
  return issues.length === 0;
}

function shapeOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  // The schemas of rows are all of these kinds; another one fails here rather than going untested.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return text(def.checks ?? []);
    case "number":
      return fc.oneof(fc.nat(100_000), fc.constantFrom(-1, 0, 60));
    case "boolean":
      return fc.boolean();
    case "unknown":
      return fc.jsonValue({ maxDepth: 1 });
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "array":
      return fc.array(arbitraryValue(def.element), { maxLength: 3 });
    case "record":
      return fc.dictionary(fc.stringMatching(/^[a-z_/]{1,8}$/), arbitraryValue(def.valueType), { maxKeys: 3 });
    case "union":
      return fc.oneof(...def.options.map(arbitraryValue));
    case "optional":
      return arbitraryValue(def.innerType);
    case "object":
      return object(def.shape);
    default:
      throw new Error(`no arbitrary for a schema of kind ${def.type}`);
  }
}

function object(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, arbitraryValue(member)]));
  const requiredKeys = Object.keys(shape).filter((name) => shape[name]?._zod.optin !== "optional");
  return fc.record(members, { requiredKeys, noNullPrototype: true });
}

function text(checks: readonly z.core.$ZodCheck<never>[]): fc.Arbitrary<string> {
  const patterns = checks
    .map((found) => (found._zod.def as { pattern?: RegExp }).pattern)
    .filter((pattern) => pattern !== undefined);
  const pattern = patterns.at(-1);
  const free = pattern ? fc.stringMatching(pattern, { size: "small" }) : fc.string();
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...TEXTS) }, { weight: 1, arbitrary: free });
}
