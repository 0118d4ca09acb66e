import { isAddress } from "../stack/address";
import type { SourcePosition } from "../stack/record-place";
import { visibleLine } from "../text/visible-text";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
/** Every result needs a file. Every Pulumi project has the first one, and most of Terraform have the second one. */
const FALLBACK: SourcePosition = { file: "Pulumi.yaml", line: 1 };
const TERRAFORM_FALLBACK: SourcePosition = { file: "main.tf", line: 1 };

/** The file in which a resource is written, where nothing says more than that. */
export function fileOf(urn: string): SourcePosition {
  return isAddress(urn) ? TERRAFORM_FALLBACK : FALLBACK;
}

/** A log of one run (OASIS SARIF 2.1.0). */
export function sarifLog(run: object): string {
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
}

export interface Where {
  /** Identifies the finding in the next run. */
  readonly key: string;
  readonly at?: SourcePosition | undefined;
  readonly suppressed?: string | undefined;
}

interface Result extends Where {
  readonly ruleId: string;
  readonly level: "error" | "warning" | "note";
  readonly text: string;
}

/** A finding, with the name under which services recognize it in the next run. */
export function sarifResult({ ruleId, level, text, key, at = FALLBACK, suppressed }: Result, fingerprint: string) {
  return {
    ruleId,
    level,
    message: { text: visibleLine(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(at.file), uriBaseId: "%SRCROOT%" },
          region: { startLine: at.line },
        },
      },
    ],
    partialFingerprints: { [fingerprint]: `${ruleId} ${key}` },
    ...(suppressed === undefined
      ? {}
      : { suppressions: [{ kind: "external", status: "accepted", justification: visibleLine(suppressed) }] }),
  };
}
