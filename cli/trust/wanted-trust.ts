import { definitions } from "../../provider/resources";
import { readPreview } from "../comment/read-preview";
import { recordedStack } from "../drift/recorded-stack";
import type { JudgedRecord } from "../lint/judged-records";
import { lintInput } from "../lint/linted-resources";
import { sayNotLookedAt } from "../say-not-looked-at";
import type { Terminal } from "../terminal";
import { sourceText, type TrustSource } from "./stack-flags";

/** What a stack wants, as tests and explanations look at it. */
export interface WantedTrust {
  readonly records: readonly JudgedRecord[];
  /** Names of groups by the server's ids, as far as these are known. */
  readonly groupNames: ReadonlyMap<string, string>;
  /** What is not among them, in sentences. */
  readonly notLookedAt: readonly string[];
}

/** What a state or a preview wants, or servers have. What is not looked at is said beside the answer. */
export async function wantedTrust(source: TrustSource, terminal: Terminal): Promise<WantedTrust> {
  const given = await sourceText(source, terminal);
  const { resources, notLookedAt: others } = lintInput(given.text);
  const notLookedAt = [...given.notLookedAt, ...others];
  sayNotLookedAt(notLookedAt, terminal);
  return { records: resources.flatMap(({ records }) => records), groupNames: groupNamesIn(given.text), notLookedAt };
}

/** A preview does not say the ids. */
function groupNamesIn(text: string): ReadonlyMap<string, string> {
  if (readPreview(text) !== undefined) return new Map();
  const groups = recordedStack(text).resources.filter(({ token }) => token === definitions.identityGroup.token);
  return new Map(
    groups.map((entry) => {
      const { inputs, outputs } = entry.recorded();
      return [String(outputs["groupId"]), String(inputs["name"])];
    }),
  );
}
