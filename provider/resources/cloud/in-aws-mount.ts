import type { Mounted } from "../../core/mounted";

/** `cloud` is the embedded server's own name of the engine. */
export const inAwsMount: Mounted = { property: "mount", within: "", types: ["aws", "cloud"] };
