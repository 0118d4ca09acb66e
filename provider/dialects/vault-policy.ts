/** A path of Vault's or OpenBao's API, and what a policy allows there. */
export interface Grant {
  readonly path: string;
  readonly capabilities: readonly string[];
  /** Lines above it, such as the resources that need it. */
  readonly comments: readonly string[];
}

/** Before the line of a policy that a refusal names. */
export const GRANTS = "A policy grants it by: ";

const ORDER = ["create", "read", "update", "patch", "delete", "list", "sudo"];

/** One grant a path, with all that is allowed there. A query is no part of a policy's path. */
export function merged(grants: Iterable<Grant>): readonly Grant[] {
  const byPath = Map.groupBy(grants, ({ path }) => path.replace(/\?.*$/, ""));
  return [...byPath].map(([path, its]) => {
    const words = new Set(its.flatMap(({ capabilities }) => capabilities));
    return {
      path,
      capabilities: ORDER.filter((word) => words.has(word)),
      comments: [...new Set(its.flatMap(({ comments }) => comments))],
    };
  });
}

/** The policy as HCL. */
export function policyText(grants: readonly Grant[]): string {
  return grants.map(grantText).join("\n\n");
}

export function grantText({ path, capabilities, comments }: Grant): string {
  const above = comments.map((line) => `# ${line}\n`).join("");
  return `${above}path ${JSON.stringify(path)} {\n  capabilities = [${listed(capabilities)}]\n}`;
}

/** A grant in one line, without its comments. */
export function grantLine({ path, capabilities }: Omit<Grant, "comments">): string {
  return `path ${JSON.stringify(path)} { capabilities = [${listed(capabilities)}] }`;
}

function listed(capabilities: readonly string[]): string {
  return capabilities.map((word) => JSON.stringify(word)).join(", ");
}
