import { describe, expect, it } from "vitest";
import { type Checkable, check } from "../../../provider/core/check";
import { functions } from "../../../provider/functions";
import { definitions } from "../../../provider/resources";

const TAKEN = "true,true,false";

/** Every property that takes a duration, and seconds, and nothing else. */
const durations = Object.values({ ...definitions, ...functions }).flatMap((definition: Checkable) =>
  Object.entries(definition.fields)
    .filter(
      ([, { schema }]) => ["1h30m", 5400, "soon"].map((value) => schema.safeParse(value).success).join() === TAKEN,
    )
    .map(([property]) => ({ token: definition.token, property, definition })),
);

describe("a duration of less than a second", () => {
  it.each(durations)("is refused as $token's $property, which would become 0", ({ definition, property }) => {
    const reason = expect.stringMatching(/^must be (whole seconds: .* no limit|at least 60 seconds)/);
    for (const value of ["0.9s", "500ms"])
      expect(check(definition, { [property]: value }).failures).toContainEqual({ property, reason });
  });

  it("is looked for in every resource with durations, and in the functions", () => {
    const tokens = new Set(durations.map(({ token }) => token));
    expect([...tokens].sort()).toEqual([
      "cloud:LeaseConfig",
      "cloud:Role",
      "cloud:RootConfig",
      "cloud:StaticRole",
      "cloud:getCredentials",
      "jwt:Role",
      "sys:AuthMount",
      "sys:SecretsMount",
    ]);
  });
});
