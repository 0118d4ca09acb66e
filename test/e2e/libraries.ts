/**
 * The classes that a story is told with, by the name of their module: `npm test` takes the dynamic ones, and
 * `npm run test:live` tells the same stories with those of the plugin. A story takes minutes.
 */
export const libraries: readonly string[] = [process.env["TRUSTPLANE_E2E_LIBRARY"] ?? "trustplane"];
