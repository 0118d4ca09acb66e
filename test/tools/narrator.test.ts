import { expect, it } from "vitest";
import { isNews } from "../../tools/demo/narrator.mts";

it.each([
  [" +  pulumi-nodejs:dynamic/trustplane/jwt:Role ci created (0.04s) ", true],
  [" ~  pulumi-nodejs:dynamic/trustplane/jwt:Role ci refresh (0.03s) [diff: ~tokenTtl]", true],
  ["      ~ tokenTtl     : 3600 => 43200", true],
  ["error: no changes were expected for refresh but changes were proposed", true],
  ["    + 2 created", true],
  [" +  pulumi-nodejs:dynamic/trustplane/jwt:Role ci creating (0s) ", false],
  [" ~  pulumi-nodejs:dynamic/trustplane/jwt:Role ci updating (0s) [diff: ~tokenTtl]", false],
  ["    pulumi:pulumi:Stack tiny-dev running ", false],
  ["    pulumi:pulumi:Stack tiny-dev  ", false],
  [" ~  pulumi-nodejs:dynamic/trustplane/jwt:Role engineer refresh (0.04s) ", false],
  ["        [id=auth/jobs/role/deploy]", true],
  ["        [urn=urn:pulumi:dev::platform::pulumi-nodejs:dynamic/trustplane/jwt:Role::deploy]", false],
  ["Updating (dev):", false],
  ["Duration: 4s", false],
  ["", false],
])("of Pulumi's output, %j is shown: %s", (line, expected) => {
  expect(isNews(line)).toBe(expected);
});
