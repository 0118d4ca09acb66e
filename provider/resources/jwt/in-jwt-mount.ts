import type { Mounted } from "../../core/mounted";

/** `oidc` is another name of the same method. */
export const inJwtMount: Mounted = { property: "mount", within: "auth/", types: ["jwt", "oidc"] };
