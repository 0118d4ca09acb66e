// @servers embedded

import { expect, it } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld } from "../support/contract-world.ts";
import { setVariable } from "../support/jwt-logins.ts";

closeServersAfterwards();

const role = { roleType: "jwt", userClaim: "sub", boundSubject: "repo:*" };
const noAudience = (name: string) =>
  `warning: jwt.Role "${name}": boundAudiences is not set: the server refuses every token that has an \`aud\` claim`;
const star = (name: string) => expect.stringContaining(`warning: jwt.Role "${name}": boundSubject has a *`);

/** What is said of two roles with the same advice. */
async function said(silence?: string): Promise<readonly string[]> {
  const world = await openWorld();
  const lines: string[] = [];
  const engine = engineWithLog({ ...world.config(), ...(silence === undefined ? {} : { silence }) }, lines);
  for (const name of ["a", "b"]) await engine.check(definitions.jwtRole, { ...role, name });
  return lines.filter((line) => line.startsWith('warning: jwt.Role "'));
}

it("advice is silenced for one resource, or for all by the text of its rule, in the stack's configuration", async () => {
  expect(await said()).toEqual([noAudience("a"), star("a"), noAudience("b"), star("b")]);
  expect(await said('["jwt.Role \\"a\\": *"]')).toEqual([noAudience("b"), star("b")]);
  expect(await said('["jwt.Role *: boundSubject *"]')).toEqual([noAudience("a"), noAudience("b")]);
  expect(await said('jwt.Role "a": boundAudiences *')).toEqual([star("a"), noAudience("b"), star("b")]);
});

it("advice is silenced for a run of whatever host by the environment", async () => {
  setVariable("TRUSTPLANE_SILENCE", '["jwt.Role *: boundSubject *"]');
  expect(await said('["jwt.Role \\"a\\": *"]')).toEqual([noAudience("b")]);
});

it("a setting that is no list of texts is refused, and says where it stands", async () => {
  await expect(said('{"a": 1}')).rejects.toThrow("the configuration trustplane:silence must be a list of texts");
});
