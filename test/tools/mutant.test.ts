import { expect, it } from "vitest";
import { mutantsOf } from "../../tools/test/mutant.mts";

const source = `import { a } from "./a";
export function one(given: "x" | true): number {
  if (given === "x") throw new Error("no");
  a();
  return given ? 1 : 2;
}
`;

it("a source has a mutant for each condition, statement, operator and literal, and none for its types and imports", () => {
  const mutants = mutantsOf("one.ts", source);
  expect(mutants.map(({ place }) => place)).toEqual([
    'one.ts:3 given === "x" → !(given === "x")',
    "one.ts:3 === → !==",
    'one.ts:3 "x" → "x!"',
    'one.ts:3 throw new Error("no"); → ;',
    'one.ts:3 "no" → "no!"',
    "one.ts:4 a(); → ;",
    "one.ts:5 given → !(given)",
    "one.ts:5 1 → 2",
    "one.ts:5 2 → 3",
  ]);
  expect(mutants[1]?.text).toBe(source.replace("===", "!=="));
});
