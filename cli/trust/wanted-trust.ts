import { definitions } from "../../provider/resources";
import { readPreview } from "../comment/read-preview";
import { recordedStack } from "../drift/recorded-stack";
import type { JudgedRecord } from "../lint/judged-records";
import { assertWhole, lintInput, recordsOf } from "../lint/linted-resources";
import { sayNotLookedAt } from "../say-not-looked-at";
import type { Terminal } from "../terminal";
import type { LoginsWanted } from "./live-state";
import type { OtherLogin } from "./other-logins";
import { sourceText, type TrustSource } from "./stack-flags";

/** What a stack wants, as tests and explanations look at it. */
export interface WantedTrust {
  readonly records: readonly JudgedRecord[];
  /** Names of groups by the server's ids, as far as these are known. */
  readonly groupNames: ReadonlyMap<string, string>;
  readonly logins: readonly OtherLogin[];
  /** What is not among them, in sentences. */
  readonly notLookedAt: readonly string[];
}

/** What a state or a preview wants, or servers have. What is not looked at is said beside the answer. */
export async function wantedTrust(
  source: TrustSource,
  terminal: Terminal,
  others: LoginsWanted = "counted",
): Promise<WantedTrust> {
  const given = await sourceText(source, terminal, others);
  const wanted = lintInput(given.text);
  assertWhole(readPreview(given.text));
  const notLookedAt = [...given.notLookedAt, ...wanted.notLookedAt];
  sayNotLookedAt(notLookedAt, terminal);
  return {
    records: recordsOf(wanted),
    groupNames: groupNamesIn(given.text),
    logins: given.logins,
    notLookedAt,
  };
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
