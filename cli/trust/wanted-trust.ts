import { definitions } from "../../provider/resources";
import { readPreview } from "../comment/read-preview";
import { recordedStack } from "../drift/recorded-stack";
import type { JudgedRecord } from "../lint/judged-records";
import { wantedRecords } from "../lint/linted-resources";
import { readText } from "../read-text";
import type { Terminal } from "../terminal";

/** What a stack wants, as tests and explanations look at it. */
export interface WantedTrust {
  readonly records: readonly JudgedRecord[];
  /** Names of groups by the server's ids, as far as these are known. */
  readonly groupNames: ReadonlyMap<string, string>;
}

/** What a state or a preview wants. */
export async function wantedTrust({ state }: { readonly state: string }, terminal: Terminal): Promise<WantedTrust> {
  const text = await readText(state, terminal.input);
  return { records: wantedRecords(text), groupNames: groupNamesIn(text) };
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
