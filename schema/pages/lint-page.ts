import { SEVERITIES } from "../../cli/facts/lint/rule";
import { LINT_RULES } from "../../cli/facts/lint/rules";
import { ruleHelp } from "../../cli/views/lint/rule-help";
import { checkResource } from "../../provider/core/check-set";
import type { Definition, Values } from "../../provider/core/definition";
import { textOf } from "../../provider/core/errors";
import { markdownTable } from "../markdown-table";

/** The rules of `trustplane lint`, each with a section of its own. */
export function lintPage(definitions: Readonly<Record<string, Definition>>): string {
  const rows = SEVERITIES.flatMap((severity) => LINT_RULES.filter((rule) => rule.severity === severity)).map(
    ({ name, severity, finds }) => [`[\`${name}\`](#${name})`, severity, finds],
  );
  const adviceOf = (token: string | undefined, values: Values) => {
    const definition = Object.values(definitions).find((each) => each.token === token);
    const said = definition === undefined ? [] : checkResource(definition, values).warnings;
    return said.map((each) => `A preview also says of the bad one: ${textOf([each])}`);
  };
  return [
    "# Rules of lint",
    "What [`trustplane lint`](pull-requests.md#trustplane-lint) and the comment look for. A test runs every example: the bad one gets the note of its rule, and the good one gets none.",
    markdownTable(["Rule", "Severity", "Finds"], rows),
    TEXTS,
    ...LINT_RULES.flatMap((rule) => [`## ${rule.name}`, ruleHelp(rule), ...adviceOf(rule.of[0], rule.bad)]),
  ].join("\n\n");
}

const TEXTS = `## Severity

* **error**: somebody who should not may get in, or make tokens.
* **warning**: more people or jobs get in than was meant, they get more or keep it without an end, logins can be tried without end, or a demand
  does not do what it says.
* **note**: what was issued lives long, a key stays the same for long, or a tag may stand for a branch.

The command ends with 2 for any note that no exception silences. \`--fail-on error\` counts errors only, \`--fail-on warning\` errors and warnings, and
\`--fail-on never\` nothing. The comment has the worst first. \`--sarif\` writes the notes for code scanning, with what this page
says of each rule; those that are silenced are suppressed, with the reason.

## Silence a note

An exception in the file of \`--ignore\` has a reason, and a day from which the note counts again. \`rule\` is a name of this page, and \`*\` stands for any
characters:

\`\`\`yaml
silence:
  - resource: jwt.Role ci
    rule: long-ttl
    reason: OPS-12, until the runner is replaced
    expires: 2026-12-31
\`\`\``;
