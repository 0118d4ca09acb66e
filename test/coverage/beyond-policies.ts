import type { Sections } from "./section.ts";

/** ACL policies, which no document describes. */
export const beyondPolicies = {
  "beyond: Policies": {
    of: ["sysPolicy"],
    evidence: ["wire secrets-sys-policies"],
    rows: {
      name: {
        real: "kept in lower case; slashes make folders, two dots are refused",
        asserted: "capitals, slashes, dots, names of the server's own; another name replaces",
      },
      policy: {
        real: "HCL or JSON, kept as it is written; base64 is decoded",
        asserted: "layouts that mean the same, and texts that do not",
      },
      "what a text says": {
        real: "unknown keys and capabilities, `+*`, wrong types and lifetimes are refused",
        asserted: "each is refused before it is sent; what is new, by release",
      },
      "policies of the server's own": {
        real: "`root`, `response-wrapping`, `control-group` cannot be written; `default` cannot be deleted",
        asserted: "refused; `default` is forgotten",
      },
      "POST sys/policies/acl/{name}": {
        real: "204, or 200 with a warning about the name; replaces the text",
        asserted: "made, changed, refused",
      },
      "GET sys/policies/acl/{name}": {
        real: "name and text; an empty list of errors with 404",
        asserted: "there, and not there",
      },
      "DELETE sys/policies/acl/{name}": {
        real: "204, whether or not it was there",
        asserted: "twice",
      },
      "GET sys/policies/acl?list=true": {
        real: "names, those with slashes after the others, `root` at the end; none of `response-wrapping`",
        asserted: "the order, and that only other policies are unmanaged",
      },
    },
  },
} satisfies Sections;
