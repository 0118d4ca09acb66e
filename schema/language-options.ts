import { NATIVE_CLASSES } from "../provider/core/package-name";

/** What Pulumi's generators want to know about a language. */
export const languageOptions = {
  // What `pulumi import` writes must have the plugin's classes: those of the package itself cannot be imported.
  nodejs: { packageName: NATIVE_CLASSES, respectSchemaVersion: true },
  python: {
    packageName: "trustplane",
    respectSchemaVersion: true,
    pyproject: { enabled: true },
    inputTypes: "classes-and-dicts",
    requires: { pulumi: ">=3.165.0,<4.0.0" },
  },
  go: {
    importBasePath: "trustplane/sdk/go/trustplane",
    rootPackageName: "trustplane",
    respectSchemaVersion: true,
    generateResourceContainerTypes: true,
  },
} as const;
