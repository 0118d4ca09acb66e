import { ProviderError } from "../../../provider/core/errors";
import { grantableNeeds, type ResourceNeeds } from "../../facts/needs/needs-of-stack";
import { policyOf } from "../../facts/needs/policy-of";
import { sayNotLookedAt, type Terminal } from "../../io/terminal";
import { DEFAULT } from "../../sources/engines";
import { stackIn } from "../../sources/read-stack";
import { stackSource } from "../../sources/stack-source";
import { labelOf } from "../../sources/trusted-configuration";
import { assertWhole, gapsIn } from "../../stack/desired-stack";
import type { Preview } from "../../stack/preview";
import { isState } from "../../stack/state";
import { visibleLine } from "../../text/visible-text";
import { COMMANDS } from "../options/commands";
import type { PermissionsFlags } from "./permissions-flags";

/** Prints the policies. Returns the exit code. */
export async function permissions(flags: PermissionsFlags, terminal: Terminal): Promise<number> {
  terminal.out(await policies(flags, terminal));
  return 0;
}

async function policies(flags: PermissionsFlags, terminal: Terminal): Promise<string> {
  const { stack, needs } = await read(flags, terminal);
  const isAsked = ({ for: verb }: ResourceNeeds["needs"][number]) => !flags.readOnly || verb === "read";
  const all = needs.map((each) => ({ ...each, needs: each.needs.filter(isAsked) }));
  const byLabel = Map.groupBy(all, (each) => connectionLabel(each, stack));
  const labels = [...byLabel.keys()].sort();
  if (labels.length === 0)
    throw new ProviderError("InputError", "there is no resource of trustplane, so no permission is needed.");
  const wanted = flags.only === undefined ? labels : labels.filter((label) => label === flags.only);
  if (wanted.length === 0)
    throw new ProviderError("InputError", `no resource uses connection ${flags.only}. There are ${labels.join(", ")}.`);
  const texts = wanted.map((label) => {
    const of = byLabel.get(label) ?? [];
    const service = of[0]?.service ?? "secrets";
    return `# Connection ${visibleLine(label)}: ${TITLES[service]}\n\n${policyOf(service, of)}`;
  });
  return `${texts.join("\n\n")}\n`;
}

const TITLES = {
  secrets: "a policy of Vault or OpenBao, in the connection's namespace",
  cluster: "rules of an ACL policy of Consul, in the connection's partition",
  policy: "HCP Terraform",
} as const;

interface Asked {
  readonly stack: Preview;
  readonly needs: readonly ResourceNeeds[];
}

/** @throws InputError where something is left out: a token whose policy is written from the rest could do too little. */
async function read(flags: PermissionsFlags, terminal: Terminal): Promise<Asked> {
  const stack = stackIn(await stackSource(flags, terminal, COMMANDS.permissions.input));
  const { leftOut, unknown, unsettled } = gapsIn(stack);
  assertWhole({ leftOut: [...unknown, ...leftOut] });
  sayNotLookedAt(unsettled, terminal);
  return { stack, needs: [...stack.steps, ...stack.same].flatMap(grantableNeeds) };
}

/** What the user calls the connection. */
function connectionLabel(needs: ResourceNeeds, stack: Preview): string {
  const provider = isState(stack) ? stack.providers.get(needs.provider) : undefined;
  return labelOf(provider ?? DEFAULT, needs.connection ?? needs.service);
}
