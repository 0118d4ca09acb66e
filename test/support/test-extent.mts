const extents = ["quick", "usual", "whole"] as const;
export type TestExtent = (typeof extents)[number];

/**
 * How much of what could be tried a run tries: `quick` in `npm run test:quick`, `usual` in `npm test`, `whole` in `npm run test:live`.
 * The variable is set in the configurations of vitest.
 */
export const testExtent: TestExtent = extentNamed(process.env["TRUSTPLANE_TEST_EXTENT"] ?? "usual");

function extentNamed(name: string): TestExtent {
  const extent = extents.find((each) => each === name);
  if (extent === undefined) throw new Error(`TRUSTPLANE_TEST_EXTENT is ${name}: ${extents}`);
  return extent;
}
