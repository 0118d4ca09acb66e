const extents = ["quick", "usual", "whole"] as const;
export type TestExtent = (typeof extents)[number];

/**
 * How much of what could be tried a run tries: `quick` in `npm run test:quick`, `usual` in `npm test` and `npm run test:live`, and
 * `whole` in a live run for which the variable says so.
 */
export const testExtent: TestExtent = extentNamed(process.env["TRUSTPLANE_TEST_EXTENT"] ?? "usual");

function extentNamed(name: string): TestExtent {
  const extent = extents.find((each) => each === name);
  if (extent === undefined) throw new Error(`TRUSTPLANE_TEST_EXTENT is ${name}: ${extents}`);
  return extent;
}
