import { describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import {
  beginStory,
  bothLibraries,
  exclusiveSet,
  makeByHand,
  program,
  role,
  rolesOf,
  writeByHand,
} from "./role-programs.ts";

const singles = [0, 1, 2, 3, 4, 5].map((number) => `single${number}`);
const strays = ["x1", "x2", "x3"];
const removal = /that the program does not name|is removed|are removed/;

describe.each(bothLibraries)("an exclusive set, of %s,", (library) => {
  // What the engine decides is told once; how a host looks ahead, by both.
  const isNative = library === "trustplane/native";
  const declared = (...statements: readonly string[]) => program(library, ...statements);
  const ab = (more: object = {}) => exclusiveSet(["a", "b"], more);

  describe("beside single resources of its mount", needsPulumi(), () => {
    const orders: [string, string][] = [
      ["is registered before them", "{ dependsOn: set }"],
      ["is registered with them", "{}"],
    ];
    test.each(isNative ? orders : orders.slice(1))("leaves them all where it %s", async (_, options) => {
      const all = singles.map((name) => role(name, name, options));
      const story = await beginStory(declared("const set = [];", ...all));
      await story.pulumi("up --yes --skip-preview");

      // One that is new comes with an edit of the set, and one without.
      const programs = [
        [ab(), ...all],
        [exclusiveSet(["a", "b", "c"]), ...all, role("late", "late", options)],
        [exclusiveSet(["a", "b", "c"]), ...all, role("late", "late", options), role("last", "last", options)],
      ];
      for (const statements of programs) {
        story.rewrite(declared(...statements));
        const { text } = await story.pulumi("up --yes");
        expect(rolesOf(story)).toEqual(expect.arrayContaining(["a", "b", ...singles]));
        expect(updateOf(text)).not.toMatch(removal);
      }
      const { text } = await story.pulumi("preview --expect-no-changes");
      expect(text).not.toMatch(removal);
      await story.pulumi("up --refresh --yes");
      await story.pulumi("preview --refresh --expect-no-changes");
      expect(rolesOf(story)).toEqual(["a", "b", "c", "last", "late", ...singles]);
    });

    if (isNative)
      test("deletes nothing of anybody else's where it is the only target", async () => {
        const story = await beginStory(declared(role("single")));
        await story.pulumi("up --yes --skip-preview");
        await makeByHand(story, ["manual-1"]);
        story.rewrite(declared(ab(), role("single", "single", "{ dependsOn: set }")));

        await story.pulumi("up --yes --target **::ci");
        expect(rolesOf(story)).toEqual(["a", "b", "manual-1", "single"]);

        story.rewrite(declared(exclusiveSet(["a", "b", "c"]), role("single", "single", "{ dependsOn: set }")));
        await story.pulumi("up --yes --target **::ci");
        expect(rolesOf(story)).toEqual(["a", "b", "c", "manual-1", "single"]);
      });
  });

  if (isNative)
    describe("owns what it names:", needsPulumi(), () => {
      test("`ignore` minds letter case no more than the server", async () => {
        const story = await beginStory(declared(ab({ ignore: ["Legacy-*"] })));
        await makeByHand(story, ["Legacy-One"]);
        const { text } = await story.pulumi("up --yes");
        expect(text).not.toMatch(removal);
        expect(rolesOf(story)).toEqual(["a", "b", "legacy-one"]);
        await story.pulumi("preview --refresh --expect-no-changes");
      });

      test.each([
        ["`ignore`", { ignore: ["manual-*"] }],
        ["`exclusive: false`", { exclusive: false }],
      ])("after a refresh %s keeps what somebody else has made", async (_, more) => {
        const story = await beginStory(declared(ab()));
        await story.pulumi("up --yes --skip-preview");
        await makeByHand(story, ["manual-1"]);
        await story.pulumi("refresh --yes --skip-preview");

        story.rewrite(declared(ab(more)));
        const { text } = await story.pulumi("up --yes --refresh");
        expect(rolesOf(story)).toEqual(["a", "b", "manual-1"]);
        expect(updateOf(text)).not.toMatch(removal);
        await story.pulumi("preview --refresh --expect-no-changes");
      });

      test("after a refresh a destroy leaves what somebody else has made", async () => {
        const story = await beginStory(declared(ab()));
        await story.pulumi("up --yes --skip-preview");
        await makeByHand(story, ["manual-1"]);
        await story.pulumi("refresh --yes --skip-preview");
        await story.pulumi("destroy --yes");
        expect(rolesOf(story)).toEqual(["manual-1"]);
      });

      test("a record that goes from `roles` into `ignore` is handed over", async () => {
        const story = await beginStory(declared(ab()));
        await story.pulumi("up --yes --skip-preview");
        story.rewrite(declared(exclusiveSet(["a"], { ignore: ["b"] })));
        await story.pulumi("up --yes");
        expect(rolesOf(story)).toEqual(["a", "b"]);
        await story.pulumi("preview --refresh --expect-no-changes");
        await story.pulumi("destroy --yes --skip-preview");
        expect(rolesOf(story)).toEqual(["b"]);
      });
    });

  describe("removes nothing without a word:", needsPulumi(), () => {
    const named = /3 records(?=.*\bx1\b)(?=.*\bx2\b)(?=.*\bx3\b)/;

    test("what its mount holds when it is made is in the preview and in the update's output", async () => {
      const story = await beginStory(declared(ab()));
      await makeByHand(story, strays);

      const preview = await story.pulumi("preview");
      expect(preview.text).toMatch(named);
      expect(rolesOf(story)).toEqual(strays);

      const { text } = await story.pulumi("up --yes");
      expect(updateOf(text)).toMatch(/3 records/);
      expect(rolesOf(story)).toEqual(["a", "b"]);
      await story.pulumi("preview --refresh --expect-no-changes");
    });

    test("what a new mount holds when the set is replaced onto it is there as well", async () => {
      const story = await beginStory(declared(ab()));
      await story.pulumi("up --yes --skip-preview");
      await writeByHand(story, "sys/auth/other", { type: "jwt" });
      await makeByHand(story, strays, "other");
      story.rewrite(declared(ab({ mount: "other" })));

      expect((await story.pulumi("preview")).text).toMatch(named);
      const { text } = await story.pulumi("up --yes");
      expect(updateOf(text)).toMatch(/3 records/);
      expect(rolesOf(story, "other")).toEqual(["a", "b"]);
      expect(rolesOf(story)).toEqual([]);
    });

    if (isNative)
      test("nothing goes in an update that no preview was made for, which says why", async () => {
        const story = await beginStory(declared(ab()));
        await makeByHand(story, strays);
        const { text } = await story.pulumi("up --yes --skip-preview");
        expect(rolesOf(story)).toEqual(["a", "b", ...strays]);
        expect(text).toMatch(/3 records.*preview/s);

        // What is left is drift, and goes with the next update that has a preview.
        expect((await story.pulumi("preview")).text).toMatch(named);
        await story.pulumi("up --yes");
        expect(rolesOf(story)).toEqual(["a", "b"]);
      });

    if (isNative)
      test("more than `maxDeletes` is refused, of a new set too", async () => {
        const story = await beginStory(declared(ab({ maxDeletes: 2 })));
        await makeByHand(story, strays);
        const { text } = await story.pulumi("preview");
        expect(text).toMatch(/will be refused: 3 records would be removed .*maxDeletes is 2/);
        await story.pulumi("up --yes", { code: 1 });
        expect(rolesOf(story)).toEqual(strays);
      });
  });
});

/** What `up` has printed after its preview. */
function updateOf(text: string): string {
  return text.slice(text.indexOf("Updating ("));
}
