import type { Definition } from "../../../provider/core/definition";
import { typeToken } from "../../../provider/core/type-token";
import { definitions } from "../../../provider/resources";
import { classOf } from "../../stack/kinds";
import { argument, shell } from "./markdown-sections";
import { slug } from "./names";
import type { Program } from "./program";
import type { ProjectOptions, Selection } from "./project-options";

type SameRun = Pick<ProjectOptions, "language" | "fold" | keyof Selection>;

/** With a hundred, the import and the first update take ten seconds each. */
const MANY = 100;

/** Offers a set in the place of many single resources of one mount, and says what each way costs. */
export function manySection({ files }: Program, run: SameRun): string[] {
  const resources = files.flatMap((file) => file.resources);
  const offers = Object.values<Definition>(definitions).flatMap((set) => {
    const of = set.members?.of;
    // The import of a set takes all of a mount by its address.
    if (of === undefined || of.id !== `${set.id}/{name}`) return [];
    const alike = resources.filter(({ definition }) => definition.token === of.token);
    const byMount = Map.groupBy(alike, ({ id }) => id.slice(0, id.lastIndexOf("/")));
    return [...byMount].flatMap(([id, { length }]) => (length < MANY ? [] : [{ set, of, id, count: length }]));
  });
  if (offers.length === 0) return [];
  const counts = offers.map(({ set, of, id, count }) => `${count} ${classOf(of)} of ${id} (${classOf(set)})`);
  const exclude = [...(run.exclude ?? []), ...offers.map(({ id }) => `${id}/*`)];
  const again = ["npx trustplane adopt --out <a new folder>", ...wordsOf({ ...run, exclude })].join(" ");
  const imports = offers.map(({ set, id }) => {
    const name = slug(id);
    return `pulumi import ${argument(typeToken(set.token))} ${argument(name)} ${argument(id)} --out ${argument(`${name}.txt`)} --yes`;
  });
  return [
    `## Many records\n\n${COST}: ${counts.join(", ")}.\n\n${INSTEAD}`,
    shell([again, "# its own commands, and then, in that folder:", ...imports].join("\n")),
  ];
}

/** What the run was given, as the next one has to be given it. */
function wordsOf({ language, fold, ...run }: SameRun): readonly string[] {
  const lists = { service: run.service, mount: run.mount, organization: run.organization, "policy-set": run.policySet };
  const named = Object.entries({ ...lists, include: run.include, exclude: run.exclude });
  return [
    ...(language === "typescript" ? [] : [`--language ${language}`]),
    ...(fold ? [] : ["--no-fold"]),
    ...named.flatMap(([name, values = []]) => values.map((value) => `--${name} ${argument(value)}`)),
  ];
}

const COST = `A single resource takes about a tenth of a second to import, and as long again in the first update: of 1,000 each takes 98 seconds.
As one resource, a set, they take a tenth of that, and every later preview is faster, too. What there is a set for`;

const INSTEAD = `Single resources are named, protected and targeted one by one, and a set as a whole. To have sets, run this in the place of the commands above.
Each import writes the code of its set, which is protected like the others, into a file: add that to the program.`;
