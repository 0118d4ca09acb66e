import { describe, expect, it } from "vitest";
import { markerOf } from "../../cli/views/comment/fitted.ts";
import { opened, post, preview, report, stranger } from "./comment-harness.ts";
import { ACCOUNTS } from "./forge-imitation.ts";

const marker = markerOf("preview", "story/dev");

describe("whose a note is", () => {
  const copies = [
    ["a stranger", stranger],
    ["another app", { id: 98, login: "other[bot]", type: "Bot" }],
  ] as const;

  it.each(Object.keys(ACCOUNTS).flatMap((account) => copies.map(([who, author]) => [account, who, author] as const)))(
    "counts on GitHub for the token of %s: what %s made of a copy stays as it is",
    async (account, _who, author) => {
      const { notes, add } = await opened("github", { account: account as keyof typeof ACCOUNTS });
      const copied = `mine\n\n${markerOf("drift", "story/dev")}`;
      add("comments", { body: copied.replace("drift", "preview"), author });
      add("issues", { body: copied, author });

      for (const ttl of ["1h", "2h"]) expect((await post(preview(ttl))).code).toBe(0);
      for (const result of ["drift", "none"] as const)
        expect((await post(report(result, result === "drift" ? 1 : 0), "--issue")).code).toBe(0);

      expect(notes.comments).toHaveLength(2);
      expect([notes.comments[0]?.body, notes.issues[0]?.body, notes.issues[0]?.isOpen]).toEqual([
        copied.replace("drift", "preview"),
        copied,
        true,
      ]);
      expect(notes.comments[1]?.body).toContain('"2h"');
      expect(notes.issues).toMatchObject([{}, { isOpen: false }]);
    },
  );

  it("is that of GitHub's own app where the forge does not say whose the token is", async () => {
    const { notes, add } = await opened("github", { saysWho: false });
    add("comments", { body: `mine\n\n${marker}`, author: stranger });
    add("comments", { body: `mine\n\n${marker}`, author: ACCOUNTS.app });
    for (const ttl of ["1h", "2h"]) expect((await post(preview(ttl))).code).toBe(0);
    expect(notes.comments.map(({ body }) => body.split("\n")[0])).toEqual([
      "mine",
      "mine",
      expect.stringContaining("Preview"),
    ]);
  });

  it("ends the job on GitLab where the forge does not say it, and is not asked for without a copy", async () => {
    const { notes } = await opened("gitlab", { saysWho: false });
    expect((await post(preview("1h"))).code).toBe(0);
    expect(await post(preview("2h"))).toMatchObject({ code: 1, err: expect.stringMatching(/whose token this is/) });
    expect(notes.comments).toHaveLength(1);
  });
});
