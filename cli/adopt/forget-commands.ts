import { visibleLine } from "../changes/visible-text";
import { type FoundRecord, keyOf } from "./found-record";
import { shell } from "./markdown-sections";
import type { ReplacedResource } from "./old-records";
import type { OldResource, OldState } from "./old-state";

/** What the old state must forget, so that nobody deletes it. */
export interface Forgotten {
  readonly tool: OldState["tool"];
  readonly resources: readonly ForgottenResource[];
}

interface ForgottenResource {
  readonly old: OldResource;
  /** Whether a record of it is not managed before a value is set. */
  readonly waits: boolean;
}

/** The resources whose records are all in the new program. */
export function forgotten(
  tool: OldState["tool"],
  replaced: readonly ReplacedResource[],
  records: readonly FoundRecord[],
): Forgotten {
  const byKey = new Map(records.map((record) => [keyOf(record), record]));
  const resources = replaced.flatMap(({ old, keys }): ForgottenResource[] => {
    const those = keys.flatMap((key) => byKey.get(key) ?? []);
    if (keys.length === 0 || those.length < keys.length) return [];
    return [{ old, waits: those.some(({ hidden }) => hidden.length > 0) }];
  });
  return { tool, resources };
}

/** The section with the commands that forget the old records. None of them asks a server. */
export function forgetSection({ tool, resources }: Forgotten): string[] {
  if (resources.length === 0) return [];
  return [`## Forget the old records\n\n${WHEN[tool]}`, shell(commands({ tool, resources }).join("\n"))];
}

const LATER = "Do this once the commands above have taken the records over. The commands write to no server.";

const WHEN = {
  terraform: `${LATER} Run them in the old configuration's folder, and delete the resources from its files. Until both is done, do
not apply it: Terraform would delete what its files have not, and its state has.`,
  pulumi: `${LATER} Run them in the old program's folder with its stack selected, and delete the resources from the program. Until both is
done, do not run \`pulumi up\` there: it would delete what the program has not, and its state has.`,
} as const;

function commands({ tool, resources }: Forgotten): string[] {
  const note = ({ waits }: ForgottenResource) => (waits ? " # once its value is set, see above" : "");
  if (tool === "terraform")
    return resources.map((each) => `terraform state rm ${argument(each.old.address)}${note(each)}`);
  // What depends on others stands behind them, and must go first.
  return [...resources].reverse().map((each) => {
    const force = each.old.isProtected ? " --force" : "";
    return `pulumi state delete --yes${force} ${argument(each.old.address)}${note(each)}`;
  });
}

/** Any text as one argument of a shell. */
function argument(text: string): string {
  return `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
