import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { parse } from "../../provider/core/template.ts";
import { resourceName } from "../../provider/hosts/terraform/names.ts";
import { reasonAgainst } from "../../provider/hosts/terraform/table.ts";
import { definitions } from "../../provider/resources/index.ts";
import { repository } from "../../tools/steps/repository.mjs";

const PAGE = "docs/terraform.md";
const [, table = ""] = /^### Ids\n\n((?:\|.*\n)+)/m.exec(readFileSync(join(repository, PAGE), "utf8")) ?? [];
const rows = table
  .split("\n")
  .slice(2)
  .filter((line) => line !== "")
  .map((line) => line.split("|").map(wordsIn));
const offered: readonly Definition[] = Object.values(definitions).filter((each) => reasonAgainst(each) === undefined);

it(`${PAGE} has an id of every resource, in the form of its table`, () => {
  const named = rows.flatMap(([, names = [], ids = []]) => {
    const here = offered.filter(({ token }) => names.includes(resourceName(token).replace("trustplane_", "")));
    const fits = (id: string, { id: template }: Definition) => parse(template, id) !== undefined;
    expect(ids.filter((id) => !here.some((definition) => fits(id, definition)))).toEqual([]);
    expect(here.filter((definition) => !ids.some((id) => fits(id, definition))).map(({ token }) => token)).toEqual([]);
    return names;
  });
  expect(named.sort()).toEqual(offered.map(({ token }) => resourceName(token).replace("trustplane_", "")).sort());
});

/** What stands between backticks. */
function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}
