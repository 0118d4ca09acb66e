import { describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { beginStory, bothLibraries, program, role, rolesOf } from "./role-programs.ts";

const numbers = [0, 1, 2, 3, 4, 5];

/** A delete that is sent again comes after the creation by another resource, which it must not undo. */
describe("records that get other names while new resources take the old ones", needsPulumi(), () => {
  test.each(bothLibraries)("are all there, also where each delete is sent twice: classes of %s", async (library) => {
    const before = numbers.map((number) => role(`first${number}`, `r${number}`));
    const after = numbers.flatMap((number) => [
      role(`first${number}`, `s${number}`),
      role(`second${number}`, `r${number}`),
    ]);
    const story = await beginStory(program(library, ...before), { isWatched: true });
    await story.pulumi("up --yes --skip-preview");
    story.failDeletesOnce();
    story.rewrite(program(library, ...after));

    await story.pulumi("up --yes --skip-preview");
    expect(rolesOf(story)).toEqual([
      ...numbers.map((number) => `r${number}`),
      ...numbers.map((number) => `s${number}`),
    ]);
    await story.pulumi("preview --refresh --expect-no-changes");
  });
});
