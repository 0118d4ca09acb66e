import type { OldState } from "../../sources/old-state";
import { codeSpan } from "../../text/markdown";
import type { HandOver } from "./hand-over";
import { argument, listSection, shell } from "./markdown-sections";

/** The sections on what becomes of the old state. None of their commands writes to a server. */
export function partingSections(handOver: HandOver): string[] {
  const { tool, forgotten, staying, gone } = handOver;
  return [
    ...(forgotten.length > 0
      ? [`## Forget the old records\n\n${WHEN[tool]}`, shell(commands(handOver).join("\n"))]
      : []),
    ...together(handOver),
    ...listSection("Stays in the old state", STAYS[tool], staying),
    ...listSection("Not on the servers", GONE[tool], gone),
    ...(forgotten.length > 0 ? [`## Back to the old state\n\n${BACK}\n\n${shell(WAY_BACK[tool])}`] : []),
  ];
}

const LATER = "Do this once the commands above have taken the records over. The commands write to no server.";

const WHEN = {
  terraform: `${LATER} Run them in the old configuration's folder, and delete the same resources from its files, and no others; of
one with \`for_each\` or \`count\`, these instances. Until both is
done, do not apply it: Terraform would delete what its files have not, and its state has. Then \`terraform plan\` must show nothing to
destroy.`,
  pulumi: `${LATER} Run them in the old program's folder with its stack selected, and delete the same resources from the program, and no
others. Until both is done, do not run \`pulumi up\` there: it would delete what the program has not, and its state has. Then
\`pulumi preview\` must show nothing to delete.`,
} as const satisfies PerTool;

const STAYS = {
  terraform:
    "Do not forget these, and keep them in the files: Terraform destroys what its state has and its files have not. This program does not manage them:",
  pulumi:
    "Do not forget these, and keep them in the program: `pulumi up` deletes what its state has and its program has not. This program does not manage them:",
} as const satisfies PerTool;

const GONE = {
  terraform:
    "The old state has these, and the servers have not. The old configuration makes them again; to give them up, remove them from its files:",
  pulumi:
    "The old state has these, and the servers have not. The old program makes them again; to give them up, remove them from it:",
} as const satisfies PerTool;

const BACK =
  "Give this project up as above, take the deleted resources into the old files again, and bring the kept state back. The file has the old state's secrets: delete it when it is no longer needed.";

const [KEPT, EXPORTED] = ["old.tfstate", "old-stack.json"];

const WAY_BACK = {
  terraform: `terraform state push -force ${KEPT}\nterraform plan # shows no change`,
  pulumi: `pulumi stack import --file ${EXPORTED}\npulumi preview # shows no change`,
} as const satisfies PerTool;

const KEEP = {
  terraform: `terraform state pull > ${KEPT} # the way back`,
  pulumi: `pulumi stack export --file ${EXPORTED} # the way back`,
} as const satisfies PerTool;

type PerTool = Readonly<Record<OldState["tool"], string>>;

/** What depends on others goes first: with Pulumi it must, and a part without its whole has nothing to refer to. */
function commands({ tool, forgotten }: HandOver): string[] {
  const lines = forgotten.map(({ old, waits }) => {
    const note = waits ? " # once its value is set, see above" : "";
    if (tool === "terraform") return `terraform state rm ${argument(old.address)}${note}`;
    return `pulumi state delete --yes${old.isProtected ? " --force" : ""} ${argument(old.address)}${note}`;
  });
  const isPart = (index: number) => forgotten[index]?.whole !== undefined;
  const sorted =
    tool === "pulumi"
      ? lines.reverse()
      : [...lines.filter((_, index) => isPart(index)), ...lines.filter((_, index) => !isPart(index))];
  return [KEEP[tool], ...sorted];
}

/** Resources of theirs that are one of ours. */
function together({ forgotten }: HandOver): string[] {
  const parts = Map.groupBy(
    forgotten.filter(({ whole }) => whole !== undefined),
    ({ whole }) => whole?.address ?? "",
  );
  if (parts.size === 0) return [];
  const lines = [...parts].map(([whole, of]) => {
    const names = of.map(({ old }) => codeSpan(old.address)).join(", ");
    return `* ${codeSpan(whole)}: with ${names}`;
  });
  return [`## What belongs together\n\n${TOGETHER}\n\n${lines.join("\n")}`];
}

const TOGETHER =
  "In this program each of these is one resource, which has the values of the parts. Forget all of them before you apply anything: a part that stays in the state and leaves the files takes its values, such as a group's policies, off the live record.";
