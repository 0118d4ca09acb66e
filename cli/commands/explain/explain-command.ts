import { ProviderError } from "../../../provider/core/errors";
import { definitions } from "../../../provider/resources";
import { type ExplainedToken, explainToken } from "../../facts/trust/explain-token";
import { explainedRole, explainedRoleText } from "../../facts/trust/explained-role";
import { holdersOf, unknownPolicy } from "../../facts/trust/sentences";
import { asServerNames, authMountName, lowerName } from "../../facts/trust/vault-names";
import type { Terminal } from "../../io/terminal";
import { type DesiredTrust, desiredTrust } from "../../sources/desired-trust";
import { givenToken, type TokenSource } from "../../sources/given-token";
import type { LoginsRead } from "../../sources/live-state";
import { holdersAmong, isNamedBy, type OtherLogin } from "../../sources/other-logins";
import { visibleText } from "../../text/visible-text";
import { COMMANDS } from "../options/commands";
import type { ExplainTokenFlags, StackFlags } from "./explain-flags";

/** Explains a login with a token. Returns the exit code. */
export function runExplainToken(flags: ExplainTokenFlags, terminal: Terminal): Promise<number> {
  return explaining(flags, terminal, async (trustFrom) => {
    // First: the state could be on the same standard input.
    const jwt = await givenToken(flags, terminal);
    const { mount, role, address } = flags;
    const { records, entities, notLookedAt } = await trustFrom("entities");
    const explained = await explainToken(records, { mount, role, address, jwt }, { entities });
    return {
      value: { ...explained, ...unseen(notLookedAt) },
      text: tokenText(explained),
      code: explained.wouldLogIn ? 0 : 2,
    };
  });
}

/** Explains who can have a policy. Returns the exit code. */
export function runExplainWho(flags: StackFlags & { readonly policy: string }, terminal: Terminal): Promise<number> {
  return explaining(flags, terminal, async (trustFrom) => {
    const { records, groupNames, logins, notLookedAt } = await trustFrom("read");
    const { policy, live } = flags;
    const holders = [...holdersOf(policy, records, { groupNames, isLive: live }), ...holdersAmong(logins, policy)];
    const unknown = isNamedBy(logins, policy) ? undefined : unknownPolicy(policy, records, { live });
    if (unknown !== undefined && holders.length === 0) throw new ProviderError("InputError", unknown);
    const nobody = `Nobody gets policy ${policy} from ${live ? "what was looked at" : "this stack"}.`;
    const lines = holders.length === 0 ? [nobody] : holders;
    return {
      value: { policy, holders, ...(unknown && { unknown }), ...unseen(notLookedAt) },
      // These give any policy, hide which, or have claims fill in its name: one of them may name it.
      text: [unknown === undefined ? [] : `Whether there is such a policy cannot be told: ${unknown}`, lines]
        .flat()
        .join("\n"),
      code: unknown === undefined ? 0 : 1,
    };
  });
}

type RoleFlags = StackFlags & { readonly mount?: string };

/** Explains a role. Returns the exit code. */
export function runExplainRole(name: string, flags: RoleFlags, terminal: Terminal): Promise<number> {
  return explaining(flags, terminal, async (trustFrom) => {
    const { records: given, entities, logins, notLookedAt } = await trustFrom("entities");
    const records = given.map(asServerNames);
    const roles = records.filter(
      ({ definition, values }) =>
        definition.token === definitions.jwtRole.token &&
        values["name"] === lowerName(name) &&
        (flags.mount === undefined || values["mount"] === authMountName(flags.mount)),
    );
    if (roles.length === 0) throw noRole(name, flags, logins);
    const explained = roles.map(({ values }) => explainedRole(values, records, entities));
    const text = explained.map(explainedRoleText).join("\n");
    return { value: { roles: explained, ...unseen(notLookedAt) }, text, code: 0 };
  });
}

/** Others, such as those of AppRole, have no demands on tokens that could be explained. */
function noRole(name: string, { live, mount }: RoleFlags, logins: readonly OtherLogin[]): ProviderError {
  const at = mount === undefined ? "" : ` at auth/${authMountName(mount)}`;
  // No role has a path for a name, and reports say where each is.
  const hint = name.includes("/") ? " Give the role's name alone, and its mount by --mount." : "";
  if (!live) return new ProviderError("InputError", `the stack has no role ${name}${at}.${hint}`);
  const found = logins.filter((login) => lowerName(login.name) === lowerName(name)).map(({ title }) => title);
  const others = found.length === 0 ? "" : `. There is ${found.join(", ")}, which this command does not explain`;
  return new ProviderError("InputError", `the servers have no role ${name} for JWTs${at}${others}.${hint}`);
}

/** What an answer did not look at, as all reports have it. */
const unseen = (notLookedAt: readonly string[]) => (notLookedAt.length === 0 ? {} : { notLookedAt });

interface Explanation {
  readonly value: unknown;
  readonly text: string;
  readonly code: number;
}

async function explaining(
  flags: StackFlags & TokenSource,
  terminal: Terminal,
  explain: (trustFrom: (others: LoginsRead) => Promise<DesiredTrust>) => Promise<Explanation>,
): Promise<number> {
  const { value, text, code } = await explain((others) =>
    desiredTrust(flags, terminal, { ...COMMANDS.explain.input, others, isInputTaken: flags.token === "-" }),
  );
  terminal.out(`${flags.json ? JSON.stringify(value, undefined, 2) : visibleText(text)}\n`);
  return code;
}

function tokenText({ demands, result }: ExplainedToken): string {
  const lines = demands.map(
    ({ property, expected, actual, met, miss }) =>
      `${met ? "ok  " : "MISS"}  ${property}: the token has ${actual}, the role wants ${expected}${miss === undefined ? "" : `\n      ${miss}`}`,
  );
  return [...lines, "", result].join("\n");
}
