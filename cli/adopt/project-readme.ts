import { listSection } from "./markdown-sections";
import { partingSections } from "./parting-sections";
import type { Program } from "./program";
import type { ProjectOptions } from "./project-options";

interface ProjectReadme extends Pick<ProjectOptions, "project" | "fates" | "leftOut" | "unread"> {
  /** What was written: a program, or a configuration. */
  readonly as: string;
  /** What to do with it. */
  readonly sections: readonly string[];
}

/** The README of a project: what it is, what to do with it, and what it does not have. */
export function projectReadme(
  program: Program,
  { project, as, sections, fates, leftOut, unread }: ProjectReadme,
): string {
  const count = program.files.reduce((sum, { resources }) => sum + resources.length, 0);
  return [
    `# ${project}`,
    `Written by \`trustplane adopt\`: ${count} resources of what the servers had. Nothing was written to a server.`,
    ...sections,
    ...(fates ? partingSections(fates) : []),
    ...listSection("Left out", `These records are on the servers, and not in this ${as}:`, leftOut),
    ...listSection(
      "Not read",
      "The servers did not show these. Run `trustplane adopt` again when the token may read them:",
      unread,
    ),
  ]
    .join("\n\n")
    .concat("\n");
}
