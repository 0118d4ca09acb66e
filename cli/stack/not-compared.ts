import { ProviderError } from "../../provider/core/errors";
import type { Preview } from "./preview";

/** Whose records our resources can be: `adopt --from-state` takes them over. */
const ADOPTABLE = /(^|\/)(vault|consul|tfe)$/;

/**
 * The provider of a resource: `vault` of a type of Pulumi, `hashicorp/vault` of a provider's address in Terraform. None of what
 * the tools have themselves, such as the stack or `terraform_data`.
 */
export function otherProvider(text: string): string | undefined {
  const [, source] = /provider\["([^"]*)"\]/.exec(text) ?? [];
  const name = source?.split("/").slice(-2).join("/") ?? text.split(":")[0];
  return name === "pulumi" || name === "builtin/terraform" ? undefined : name;
}

/** How many resources of other providers there are, in one line; undefined where there are none. Only drift compares. */
export function othersText(providers: readonly string[], not: "compared" | "looked at"): string | undefined {
  if (providers.length === 0) return undefined;
  const counts = [...Map.groupBy(providers, (name) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = counts.map(([name, { length }], at) => {
    const noun = length === 1 ? "resource" : "resources";
    return `${length}${at === 0 ? ` ${noun}` : ""} of ${name}`;
  });
  return `${parts.join(", ")} ${providers.length === 1 ? "is" : "are"} not ${not}`;
}

const PARTS = {
  targets: { it: "plan", of: "program", todo: "plan without `-target` and `-exclude`" },
  deferred: { it: "plan", of: "program", todo: "apply what it has, then plan what it defers" },
  refreshed: { it: "refresh", of: "stack", todo: "refresh without `--target`" },
} as const satisfies Record<NonNullable<Preview["part"]>, unknown>;

/** What a preview or a plan leaves out, and what to do; undefined where it shows all. */
export function leftOut({
  unlisted,
  part,
}: Pick<Preview, "unlisted" | "part">): { readonly what: string; readonly todo: string } | undefined {
  const resources = `${unlisted} ${part ? "" : "unchanged "}${unlisted === 1 ? "resource is" : "resources are"}`;
  if (part) {
    const { it, of, todo } = PARTS[part];
    return {
      what:
        unlisted === 0 ? `this ${it} is for a part of the ${of}` : `${resources} in the state, and not in this ${it}`,
      todo,
    };
  }
  if (unlisted === 0) return undefined;
  return { what: `${resources} not in this preview`, todo: "run the preview with `--show-sames`" };
}

/** @throws InputError where there are resources of others only, or a state has none: an answer would say that all is well. */
export function assertSomeOurs(
  what: "state" | "preview",
  ours: number,
  providers: readonly string[],
  not: "compared" | "looked at" = "looked at",
): void {
  if (ours > 0) return;
  const others = othersText(providers, not);
  const todo = providers.some((name) => ADOPTABLE.test(name)) ? "; see `trustplane adopt --from-state`" : "";
  if (others) throw new ProviderError("InputError", `the ${what} has no resource of trustplane: ${others}${todo}.`);
  if (what === "preview") return;
  const nothing = `the state has no resource, so there is nothing to ${not === "compared" ? "compare" : "look at"}`;
  throw new ProviderError("InputError", `${nothing}: check that it is that of the right stack.`);
}
