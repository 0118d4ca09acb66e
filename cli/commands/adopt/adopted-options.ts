import { camelCase } from "./names";
import { type ProgramFile, secretsOf } from "./program";

/** What a program calls the options of all that was there before it, and the file that has them. */
export const ADOPTED = "adopted";

const WHAT = "All that was there before this program has these options.";
const GIVE_UP = "Pulumi refuses to delete it. To give that up, delete this line and run `pulumi up`.";

/** Whether a resource of the file has the options. What waits for a secret leaves the program again when that is unset. */
export function hasAdopted({ resources }: Pick<ProgramFile, "resources">): boolean {
  return resources.some((resource) => secretsOf(resource).length === 0);
}

export const ADOPTED_IN = {
  typescript: `import type { CustomResourceOptions } from "@pulumi/pulumi";

// ${WHAT}
export const ${ADOPTED}: CustomResourceOptions = {
  // ${GIVE_UP}
  protect: true,
};
`,
  python: `import pulumi

# ${WHAT}
${ADOPTED} = pulumi.ResourceOptions(
    # ${GIVE_UP}
    protect=True,
)
`,
} as const;

export const GO_SDK = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";

/** The files in Go are one package, so a program that takes in another one needs a name of its own for each. */
export function adoptedInGo(file: string): string {
  return `package main

import ${JSON.stringify(GO_SDK)}

// ${WHAT}
var ${camelCase(file)} = pulumi.Composite(
	// ${GIVE_UP}
	pulumi.Protect(true),
)
`;
}

/** A program in YAML has a setting in place of options, and gives it to what waits for a secret, too: that stays once it is there. */
export const PROTECT = "protect";

export const ADOPTED_IN_YAML =
  "All that was there before this program is protected: Pulumi refuses to delete it. To give that up, write false and run `pulumi up`.";
