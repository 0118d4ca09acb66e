import type { Permissions } from "../permissions";

/** What the token needs, ready to paste. */
export function permissionSection({ heading, text }: Permissions): string {
  const policy = text === undefined ? [] : [`\`\`\`hcl\n${text}\n\`\`\``];
  return ["## Permissions", heading, ...policy].join("\n\n");
}
