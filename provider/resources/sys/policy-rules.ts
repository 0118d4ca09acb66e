import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import { formatNanoseconds, parseNanoseconds } from "../../core/duration";
import { type Field, row } from "../../core/field";
import { local } from "../../core/rows";
import { CAPABILITIES, pathProblem } from "./policy-text";

/** Values of a parameter of a request, by the parameter's name; `*` stands for every other parameter, and no values for any. */
export interface ParameterValues {
  [parameter: string]: (string | number | boolean)[];
}

/** What a token may do at the paths that fit. */
export interface PolicyRule {
  /** Path without `/v1/`. `*` at its end stands for any rest, `+` for one segment. */
  path: string;
  /** Capabilities: `create`, `read`, `update`, `patch`, `delete`, `list`, `sudo`, `subscribe`, `recover`, `scan`, or `deny` alone. */
  capabilities: string[];
  /** Parameters that a request may have, and their values. */
  allowedParameters?: ParameterValues;
  /** Parameters that a request must not have, or not with these values. */
  deniedParameters?: ParameterValues;
  /** Parameters that a request must have. */
  requiredParameters?: string[];
  /** Shortest lifetime that a request may ask for its wrapped answer, in seconds or as a duration. */
  minWrappingTtl?: string | number;
  /** Longest lifetime that a request may ask for its wrapped answer, in seconds or as a duration. */
  maxWrappingTtl?: string | number;
  /** Types of events that may be subscribed to. */
  subscribeEventTypes?: string[];
  /** Comment for people. */
  comment?: string;
}

const text = z.string({ error: "must be a string" });
const texts = z.array(text.min(1, { error: "must not be empty" }), { error: "must be a list of strings" });
const words = Object.keys(CAPABILITIES);
const capability = z.enum(words, { error: `must be one of ${words.map((word) => `"${word}"`).join(", ")}` });
const scalar = z.union([z.string(), z.number(), z.boolean()], { error: "must be a string, a number or a boolean" });
const parameters = z.record(z.string(), z.array(scalar, { error: "must be a list of values" }), {
  error: "must be a map of lists",
});
const ttl = z.union([z.string(), z.number()], { error: "must be a number of seconds or a duration such as 1h" }).check(
  z.superRefine((value, context) => {
    const problem = ttlProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  }),
);

const shape = z
  .strictObject(
    {
      path: text.check(
        z.superRefine((value, context) => {
          const problem = value.trim() === "" ? "must not be empty" : pathProblem(value);
          if (problem) context.addIssue({ code: "custom", message: problem });
        }),
      ),
      capabilities: z.array(capability, { error: "must be a list of strings" }),
      allowedParameters: parameters.optional(),
      deniedParameters: parameters.optional(),
      requiredParameters: texts.optional(),
      minWrappingTtl: ttl.optional(),
      maxWrappingTtl: ttl.optional(),
      subscribeEventTypes: texts.optional(),
      comment: text.optional(),
    },
    { error: ({ code }) => (code === "invalid_type" ? "must be { path, capabilities }" : undefined) },
  )
  .check(
    z.superRefine((rule, context) => {
      const fail = (key: string, message: string) => context.addIssue({ code: "custom", message, path: [key] });
      if (rule.capabilities.includes("deny") && rule.capabilities.length > 1)
        fail("capabilities", "has deny beside others: the server then denies everything");
      const [least, most] = [nanosecondsOf(rule.minWrappingTtl), nanosecondsOf(rule.maxWrappingTtl)];
      if (least > 0 && most > 0 && most < least) fail("maxWrappingTtl", "must not be shorter than minWrappingTtl");
      for (const key of ["allowedParameters", "deniedParameters"] as const) {
        const names = Object.keys(rule[key] ?? {}).map((name) => name.toLowerCase());
        if (new Set(names).size < names.length) fail(key, "has a parameter twice: upper and lower case do not differ");
      }
    }),
  );

/** The rules as a list; they are sent as the text of the policy. */
export function policyRules(): Field<PolicyRule[], false> {
  return local(
    row<PolicyRule[]>({
      place: "local",
      wire: "",
      // zod's optional members may be `undefined`; `exactOptionalPropertyTypes` knows only absent ones.
      schema: z.array(shape, { error: "must be a list of { path, capabilities }" }) as unknown as z.ZodType<
        PolicyRule[]
      >,
    }),
  );
}

/** The policy that the rules make, in HCL. */
export function policyTextOf(rules: readonly PolicyRule[]): string {
  return rules.map(blockOf).join("\n");
}

function blockOf(rule: PolicyRule): string {
  const lines = [
    ...setting("comment", rule.comment, quoted),
    // An empty list is said: the path is then known, and nothing is allowed there.
    `capabilities = ${listed(words.filter((word) => rule.capabilities.includes(word)))}`,
    ...setting("allowed_parameters", rule.allowedParameters, mapped),
    ...setting("denied_parameters", rule.deniedParameters, mapped),
    ...setting("required_parameters", rule.requiredParameters, listed),
    ...setting("min_wrapping_ttl", rule.minWrappingTtl, (value) => quoted(formatNanoseconds(nanosecondsOf(value)))),
    ...setting("max_wrapping_ttl", rule.maxWrappingTtl, (value) => quoted(formatNanoseconds(nanosecondsOf(value)))),
    ...setting("subscribe_event_types", rule.subscribeEventTypes, listed),
  ];
  return `path ${quoted(rule.path)} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
}

function setting<T>(key: string, value: T | undefined, shown: (value: T) => string): string[] {
  return value === undefined || isEmpty(value) ? [] : [`${key} = ${shown(value)}`];
}

function listed(values: readonly (string | number | boolean)[]): string {
  return `[${values.map((value) => (typeof value === "string" ? quoted(value) : String(value))).join(", ")}]`;
}

function mapped(values: ParameterValues): string {
  const lines = Object.entries(values).map(([name, accepted]) => `    ${quoted(name)} = ${listed(accepted)}\n`);
  return `{\n${lines.join("")}  }`;
}

/** HCL has JSON's escapes. What is inside `${…}` it does not read as written, and U+E123 it refuses. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll("${", "\\u0024{").replaceAll("\uE123", "\\ue123");
}

function ttlProblem(value: string | number): string | undefined {
  const nanoseconds = parseNanoseconds(String(value).trim());
  if (typeof nanoseconds === "string") return nanoseconds;
  if (nanoseconds < 0n) return "must not be negative";
  const isCut = nanoseconds === 0n && /[1-9]/.test(String(value));
  return isCut ? "must be at least a nanosecond: the server cuts it to 0, which means no limit" : undefined;
}

function nanosecondsOf(value: string | number | undefined): bigint {
  const nanoseconds = parseNanoseconds(String(value ?? 0).trim());
  return typeof nanoseconds === "bigint" ? nanoseconds : 0n;
}
