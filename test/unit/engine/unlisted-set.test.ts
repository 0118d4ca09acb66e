import { expect, it, onTestFinished } from "vitest";
import { cases } from "../../contract/cases/index.ts";
import type { ResourceCase } from "../../support/contract-case.ts";
import { startEmbedded } from "../../support/contract-servers-embedded.ts";
import { openSubject } from "../../support/contract-subject.ts";
import { openWorld } from "../../support/contract-world.ts";

// The names of both tables agree, which the type of `cases` checks; here any of them is meant.
const of = cases.cloudStaticRoleSet as unknown as ResourceCase;

it("static roles are made on a server that cannot list them, where an exclusive set is refused", async () => {
  const servers = await startEmbedded({ profile: "vault-1.19" });
  onTestFinished(() => servers.close());
  const world = await openWorld({ servers });
  const { stack, ground } = await openSubject({ resource: "cloudStaticRoleSet", host: "engine", of, world });

  expect(await stack.up(ground.full)).toBe("create");
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(ground.full)).toEqual({ step: "same", replaces: [] });
  await expect(stack.up({ ...ground.full, exclusive: true })).rejects.toThrow(/unsupported path/);
});
