import type { Sections } from "./section.ts";

/** ACL policies, which no document describes. */
export const beyondPolicies = {
  "beyond: Policies": {
    of: ["sysPolicy"],
    rows: {
      name: {
        real: "kept in lower case; slashes make folders, two dots are refused",
        evidence: ["wire secrets-sys-policies"],
        asserted: "capitals, slashes, dots, names of the server's own; another name replaces",
      },
      policy: {
        real: "HCL or JSON, kept as it is written; base64 is decoded",
        evidence: ["wire secrets-sys-policies"],
        asserted: "layouts that mean the same, and texts that do not",
      },
      "what a text says": {
        real: "unknown keys and capabilities, `+*`, wrong types and lifetimes are refused",
        evidence: ["wire secrets-sys-policies"],
        asserted: "each is refused before it is sent; what is new, by release",
      },
      "policies of the server's own": {
        real: "`root`, `response-wrapping`, `control-group` cannot be written; `default` cannot be deleted",
        evidence: ["wire secrets-sys-policies"],
        asserted: "refused; `default` is forgotten",
      },
      "POST sys/policies/acl/{name}": {
        real: "204, or 200 with a warning about the name; replaces the text",
        evidence: ["wire secrets-sys-policies"],
        asserted: "made, changed, refused",
      },
      "GET sys/policies/acl/{name}": {
        real: "name and text; an empty list of errors with 404",
        evidence: ["wire secrets-sys-policies"],
        asserted: "there, and not there",
      },
      "DELETE sys/policies/acl/{name}": {
        real: "204, whether or not it was there",
        evidence: ["wire secrets-sys-policies"],
        asserted: "twice",
      },
      "GET sys/policies/acl?list=true": {
        real: "names, those with slashes after the others, `root` at the end; none of `response-wrapping`",
        evidence: ["wire secrets-sys-policies"],
        asserted: "the order, and that only other policies are unmanaged",
      },
    },
  },
} satisfies Sections;
