import { sayNotLookedAt, type Terminal } from "../io/terminal";
import { assertWhole, recordsOf } from "../stack/desired-stack";
import type { JudgedRecord } from "../stack/judged-records";
import type { LoginsWanted } from "./live-state";
import type { OtherLogin } from "./other-logins";
import { readStack } from "./read-stack";
import { sourceText, type TrustSource } from "./source-text";

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
  const wanted = readStack(given.text);
  assertWhole(wanted);
  const notLookedAt = [...given.notLookedAt, ...wanted.notLookedAt];
  sayNotLookedAt(notLookedAt, terminal);
  return {
    records: recordsOf(wanted),
    groupNames: new Map([...wanted.groups].map(([id, { name }]) => [id, name])),
    logins: given.logins,
    notLookedAt,
  };
}
