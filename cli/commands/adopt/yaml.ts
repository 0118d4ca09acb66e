import { typeToken } from "../../../provider/core/type-token";
import { isRecord } from "../../../provider/core/unknowns";
import { type Found, type FoundRecord, keyOf, titleOf } from "../../sources/servers/found-record";
import { ADOPTED_IN_YAML, PROTECT } from "./adopted-options";
import { camelCase, uniqueNames } from "./names";
import { marked, type Program, type ProgramFile, type ProgramResource, secretsOf, type Value } from "./program";
import { indented, reference, yamlLines } from "./yaml-text";

/** A program in Pulumi YAML: one file, without loops and conditions. What needs a value that no server shows is a comment. */
export function yamlProgram({ files, secrets, mark }: Program): string {
  const resources = files.flatMap((file) => file.resources.map((resource) => ({ file, resource })));
  const keys = uniqueNames(resources, {
    nameOf: ({ resource: { name, definition } }) => camelCase(`${name}-${definition.token.split(":")[1]}`),
    keyOf: ({ resource: { definition, id } }) => `${definition.token} ${id}`,
  });
  const naming: Naming = {
    protect: camelCase(marked(PROTECT, mark)),
    keyOf: (file, variable) => {
      const found = resources.find(({ file: of, resource }) => of.name === file && resource.variable === variable);
      return camelCase((found && keys.get(found)) ?? "");
    },
  };
  const linesOf = (of: readonly (typeof resources)[number][]) =>
    of.flatMap((each) => indented(resourceLines(camelCase(keys.get(each) ?? ""), each.file, each.resource, naming)));
  const isOpen = ({ resource }: (typeof resources)[number]) => secretsOf(resource).length > 0;
  const [open, ready] = [resources.filter(isOpen), resources.filter((each) => !isOpen(each))];
  const settings = secrets.filter(({ shown }) => shown === undefined);
  const config = Object.fromEntries(settings.map(({ key }) => [key, { type: "string", secret: true }]));
  const variables = Object.fromEntries(
    files.flatMap((file) =>
      Object.entries(file.constants).map(([name, value]) => [variableOf(file, name), plain(value)] as const),
    ),
  );
  return [
    "config:",
    ...indented([`# ${ADOPTED_IN_YAML}`, ...yamlLines({ [naming.protect]: { type: "boolean", default: true } })]),
    ...(settings.length > 0 ? comments([HINT, ...indented(yamlLines(config))]) : []),
    ...(Object.keys(variables).length > 0 ? yamlLines({ variables }) : []),
    ready.length > 0 ? "resources:" : "resources: {}",
    ...linesOf(ready),
    ...comments(linesOf(open)),
    "",
  ].join("\n");
}

const HINT = "No server shows these values. Set one (README.md), then take its lines and those of its resource in:";

interface Naming {
  /** The setting that protects. */
  readonly protect: string;
  keyOf(file: string, variable: string): string;
}

function resourceLines(key: string, file: ProgramFile, resource: ProgramResource, naming: Naming) {
  const { definition, name, args, note } = resource;
  const properties = Object.fromEntries(args.map(({ property, value }) => [property, valueIn(value, file, naming)]));
  const options = { protect: reference(`\${${naming.protect}}`) };
  const lines = yamlLines({ [key]: { type: typeToken(definition.token), name, properties, options } });
  return [...(note === undefined ? [] : comments([note])), ...lines];
}

function valueIn(value: Value, file: ProgramFile, naming: Naming): unknown {
  if ("literal" in value) return plain(value.literal);
  if ("constant" in value) return reference(`\${${variableOf(file, value.constant)}}`);
  if ("of" in value) return reference(`\${${naming.keyOf(value.file ?? file.name, value.of)}.${value.property}}`);
  if ("items" in value) return value.items.map((item) => valueIn(item, file, naming));
  return value.secret.shown ? plain(value.secret.shown) : reference(`\${${value.secret.key}}`);
}

function variableOf({ name }: ProgramFile, property: string): string {
  return camelCase(`${name}-${property}`);
}

/** A value in which no text is an expression: a dollar sign is written twice. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("$", "$$$$");
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.replaceAll("$", "$$$$"), plain(member)]),
  );
}

function comments(lines: readonly string[]): string[] {
  return lines.map((line) => `# ${line}`.trimEnd());
}

/** Pulumi YAML takes a member whose name begins like this for a function, and has no way to escape it. */
const FUNCTION = /^fn::/i;

/** What can be said in YAML. */
export function sayableInYaml(found: Found): Found {
  const isSayable = ({ values }: FoundRecord) => !hasFunction(values);
  const leftOut = found.records
    .filter((record) => !isSayable(record))
    .map((record) => ({
      what: titleOf(record),
      reason: "Pulumi YAML would take a name that begins with fn:: for a function",
      key: keyOf(record),
    }));
  return { ...found, records: found.records.filter(isSayable), leftOut: [...found.leftOut, ...leftOut] };
}

function hasFunction(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasFunction);
  if (typeof value === "string") return value.startsWith("{") && FUNCTION_IN_TEXT.test(value);
  return isRecord(value) && Object.entries(value).some(([name, member]) => FUNCTION.test(name) || hasFunction(member));
}

/** A JSON document is written as an object. */
const FUNCTION_IN_TEXT = /"fn::/i;
