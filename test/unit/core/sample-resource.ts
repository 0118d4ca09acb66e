import { defineResource, upsert } from "../../../provider/core/definition";
import { deprecated, onlyOn, required } from "../../../provider/core/field";
import {
  boolean,
  duration,
  integer,
  lowerCase,
  oneOf,
  path,
  segment,
  string,
  stringMap,
  stringSet,
} from "../../../provider/core/rows";
import { advice, notAbove, rule } from "../../../provider/core/rules";

/** A resource with one row of every kind, so that the core is tested apart from the real tables. */
export const sample = defineResource({
  token: "demo:Thing",
  dialect: "vault",
  fields: {
    mount: path("demo"),
    name: lowerCase(required(segment(/^\w+$/, "letters and digits"))),
    owner: required(string("owner")),
    kind: oneOf("kind", ["plain", "odd"], "plain"),
    ttl: duration("ttl"),
    maxTtl: duration("max_ttl"),
    uses: integer("uses", { serverDefault: -1, min: -1 }),
    enabled: boolean("enabled", true),
    tags: stringSet("tags"),
    labels: stringMap("labels"),
    password: string("password"),
    note: string("note", { serverDefault: "none" }),
    newest: onlyOn({ vault: "1.20.0" }, string("newest")),
    old: deprecated("use tags", string("old")),
  },
  outputs: { serial: string("serial") },
  id: "{mount}/things/{name}",
  label: "name",
  identity: ["mount", "name"],
  replaceOn: ["kind"],
  replaceWhen: (olds, news) => (olds["owner"] !== news["owner"] && news["enabled"] === false ? ["owner"] : []),
  broken: (state) => (state["serial"] === "lost" ? ["serial"] : []),
  secrets: { password: "always" },
  writeOnly: ["password"],
  ...upsert("{mount}/things/{name}"),
  rules: [
    notAbove("ttl", "maxTtl"),
    rule(["uses", "enabled"], ({ uses, enabled }) =>
      enabled === false && uses === 0 ? "must not be 0 when disabled" : undefined,
    ),
    advice(rule(["note"], ({ note }) => (note === "todo" ? "is no note" : undefined))),
  ],
});

export const server = (version: string) => ({ product: "vault", version, enterprise: false, identity: "x" }) as const;
