import { expect, it } from "vitest";
import { diff } from "../../../provider/core/diff.ts";
import { definitions } from "../../../provider/resources/index.ts";

const set = definitions.jwtRoleSet;
const olds = {
  mount: "jwt",
  defaults: { tokenTtl: "15m" },
  roles: { ci: { userClaim: "sub" }, web: { userClaim: "sub" } },
};
const changesOf = (news: object) =>
  diff(set, olds, { ...olds, ...news }).records?.map(({ name, changed, replaces }) => ({ name, changed, replaces }));

it.each([
  ["nothing", {}, []],
  ["a setting that is spelled otherwise", { defaults: { tokenTtl: 900 } }, []],
  [
    "a default that one record overrides as it was",
    { defaults: {}, roles: { ci: { userClaim: "sub", tokenTtl: "15m" }, web: { userClaim: "sub", tokenTtl: 900 } } },
    [],
  ],
  [
    "a setting, in the run that renames the connection",
    { connection: "east", roles: { ...olds.roles, ci: { userClaim: "email" } } },
    [{ name: "ci", changed: ["userClaim"], replaces: [] }],
  ],
  [
    "a record that is new, and one that is gone",
    { roles: { ci: olds.roles.ci, worker: {} } },
    [
      { name: "web", changed: [], replaces: [] },
      { name: "worker", changed: [], replaces: [] },
    ],
  ],
])("%s is what differs between two programs", (_title, news, expected) => {
  expect(changesOf(news)).toEqual(expected);
});
