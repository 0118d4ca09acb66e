import * as z from "zod";
import { lacking, type ServerInfo } from "../../core/availability";
import { isEmpty } from "../../core/canonical";
import { defineResource, upsert, type Values, type WireRecord } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { type Field, required, row } from "../../core/field";
import { isPrintable, lowerCase, NOT_PRINTABLE, string } from "../../core/rows";
import { advice, noDoubleDots, rule } from "../../core/rules";
import { hasUnknown, UNKNOWN } from "../../core/unknowns";
import { type PolicyRule, policyRules, policyTextOf } from "./policy-rules";
import { meaningOf, needsOfPolicy, readPolicy } from "./policy-text";

const rules = policyRules();

const fields = {
  /** Policy name. The server keeps it in lower case. @source vault/policies acl */
  name: lowerCase(required(policyName())),
  /** Policy as text, in HCL or JSON. Either `policy` or `rules` is required. @source vault/policies acl */
  policy: policyText("policy"),
  /** Rules of the policy. They are sent, and recorded, as `policy`. @source vault/policies acl */
  rules,
};

const record = upsert("sys/policies/acl/{name}");

export const sysPolicy = defineResource({
  token: "sys:Policy",
  dialect: "vault",
  fields,
  id: "sys/policies/acl/{name}",
  label: "name",
  identity: ["name"],
  ...record,
  update: { ...record.update, layout: withOwnSettings },
  delete: { method: "DELETE", path: "sys/policies/acl/{name}", except: { name: "default" } },
  rewrite: asText,
  rules: [
    rule(["name"], ({ name }) =>
      BUILT_IN.includes(String(name)) ? "is a policy of the server's own, which cannot be changed" : undefined,
    ),
    noDoubleDots("name"),
    rule(["policy", "rules"], ({ policy, rules: typed }) => {
      if (isEmpty(policy) && isEmpty(typed)) return "is not set, and neither is rules: one of them is required";
      return isEmpty(policy) || isEmpty(typed) ? undefined : "only one of policy and rules can be given";
    }),
    rule(["policy"], ({ policy }, server) => textProblem(policy, server)),
    advice(rule(["policy"], ({ policy }) => pathAdvice(policy))),
  ],
});

const OWN = ["name", "policy", "rules", "modified", "version"];

/**
 * OpenBao resets what a write does not name: `expiration`, `cas_required` and others, which a program cannot say. Where it
 * requires a check-and-set, the version is that of the look before the write.
 */
function withOwnSettings(members: WireRecord, _: Values, record: WireRecord = {}): WireRecord {
  const isSet = ([name, value]: [string, unknown]) =>
    // Go's way to say that there is no time.
    !OWN.includes(name) && !isEmpty(value) && value !== false && !String(value).startsWith("0001-01-01");
  const cas = record["cas_required"] === true ? { cas: record["version"] } : {};
  return { ...Object.fromEntries(Object.entries(record).filter(isSet)), ...cas, ...members };
}

const BUILT_IN = ["root", "response-wrapping", "control-group"];

/**
 * Rules as the text that is sent and recorded: so both forms have one comparison, and a program can go from one to the other
 * without a write. A mixture of both, and rules that are wrong, stay as they are: they are refused.
 */
function asText(inputs: Values): Values {
  const { rules: typed, ...rest } = inputs;
  if (isEmpty(typed) || !isEmpty(inputs["policy"])) return inputs;
  if (hasUnknown(typed)) return { ...inputs, policy: UNKNOWN };
  const { success } = rules.schema.safeParse(typed);
  // What has passed the schema is of its type.
  return success ? { ...rest, policy: policyTextOf(typed as PolicyRule[]) } : inputs;
}

function policyName(): Field<string, false> {
  return row({
    place: "path",
    wire: "name",
    schema: z
      .string({ error: "must be a string" })
      .refine(isPrintable, { error: NOT_PRINTABLE })
      .refine((value) => value === value.trim() && !/(^|\/)\.{0,2}(\/|$)/.test(value), {
        error: "must be a name without spaces at its ends, empty segments, `.` and `..`",
      }),
  });
}

/** Policies are compared by what they mean; a text that cannot be read, as it is. */
function policyText(wire: string): Field<string, false> {
  return {
    ...string(wire),
    canonical(value) {
      if (isEmpty(value)) return "";
      const read = readPolicy(String(value));
      return typeof read === "string" ? value : meaningOf(read);
    },
  };
}

/** How a reason begins that says of the text what is wrong with it. */
const ABOUT_TEXT = ["is ", "has ", "path "];

/** A text that every server would refuse, or words that the connected one does not know, and would refuse. */
function textProblem(policy: unknown, server: ServerInfo | undefined): string | undefined {
  if (isEmpty(policy)) return undefined;
  const text = String(policy);
  // The server decodes whatever decodes.
  if (text.replace(/[\r\n]/g, "").length % 4 === 0 && /^[A-Za-z0-9+/\r\n]+={0,2}[\r\n]*$/.test(text))
    return "is base64: give the text itself";
  const read = readPolicy(text);
  // Of a text that is no policy, the reason has a subject of its own.
  if (typeof read === "string")
    return ABOUT_TEXT.some((word) => read.startsWith(word)) ? read : `cannot be read: ${read}`;
  for (const [word, needs] of needsOfPolicy(read)) {
    const reason = server && lacking(needs, server);
    if (reason) return `has ${word}, which ${reason}`;
  }
  return undefined;
}

/** The first path of each form that the server takes, and that does not do what it looks like. */
function pathAdvice(policy: unknown): readonly Failure[] {
  const read = readPolicy(String(policy ?? ""));
  return ODD_PATHS.flatMap(({ form, advice }): Failure[] => {
    const found = typeof read === "string" ? undefined : read.find(({ path }) => form.test(path));
    return found ? [{ property: "policy", reason: `path ${JSON.stringify(found.path)} ${advice}` }] : [];
  });
}

const ODD_PATHS = [
  { form: /\*./, advice: "has * before its end, where it is a plain character: use + for a segment" },
  { form: /^v1\//, advice: "begins with v1/, which paths in a policy do not have: leave it out" },
];
