import { SERVICE_NAMES, type Service } from "../../../provider/core/connection-entry";
import { serviceOf } from "../../stack/kinds";
import { listSection } from "./markdown-sections";
import { partingSections } from "./parting-sections";
import type { Program } from "./program";
import type { ProjectOptions } from "./project-options";

interface ProjectReadme extends Pick<ProjectOptions, "project" | "handOver" | "leftOut" | "notLookedAt" | "unread"> {
  /** What was written: a program, or a configuration. */
  readonly as: string;
  /** What to do with it. */
  readonly sections: readonly string[];
}

/** The README of a project: what it is, what to do with it, and what it does not have. */
export function projectReadme(
  program: Program,
  { project, as, sections, handOver, leftOut, notLookedAt = [], unread }: ProjectReadme,
): string {
  const count = program.files.reduce((sum, { resources }) => sum + resources.length, 0);
  return [
    `# ${project}`,
    `Written by \`trustplane adopt\`: ${count} resources of what the servers had. Nothing was written to a server.`,
    ...sections,
    ...(handOver ? partingSections(handOver) : []),
    ...listSection("Left out", `These records are on the servers, and not in this ${as}:`, leftOut),
    ...listSection(
      "Not looked at",
      `The servers may have more of these, and none of them is in this ${as}:`,
      notLookedAt,
    ),
    ...listSection(
      "Not read",
      "The servers did not show these. Run `trustplane adopt` again when the token may read them:",
      unread,
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

const VARIABLES = {
  secrets: "VAULT_ADDR=… VAULT_TOKEN=… # and VAULT_NAMESPACE, where they are in one",
  cluster: "CONSUL_HTTP_ADDR=… CONSUL_HTTP_TOKEN=…",
  policy: "TFE_TOKEN=… # and TFE_ADDRESS, where it is not the public one",
} as const satisfies Record<Service, string>;

/** The commands that set what leads to the servers of the program. */
export function variablesOf({ files }: Program): string {
  const there = new Set(files.flatMap(({ resources }) => resources.map(({ definition }) => serviceOf(definition))));
  return SERVICE_NAMES.filter((name) => there.has(name))
    .map((name) => `export ${VARIABLES[name]}`)
    .join("\n");
}
