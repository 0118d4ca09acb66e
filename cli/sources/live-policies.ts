import { isEmpty } from "../../provider/core/canonical";
import { isProviderError, ProviderError } from "../../provider/core/errors";
import { SERVER } from "../../provider/core/state-names";
import { vault } from "../../provider/dialects/vault";
import { listCall } from "../../provider/engine/list-call";
import { messageOf } from "../../provider/engine/operation";
import { sysPolicy } from "../../provider/resources/sys/policy";
import { type LivePolicies, placeOf } from "../stack/known-policies";
import type { StackState } from "../stack/state";
import { type EngineOptions, enginesOf } from "./engines";
import { ROLE_GOVERNING } from "./read-only";

interface Asked {
  readonly names: LivePolicies;
  readonly notLookedAt: readonly string[];
  /** Why a server that answered may be another one than that of the state. Many states cannot say: `terraform show -json` prints none. */
  readonly notCompared: readonly string[];
}

/**
 * The names of all policies, in each namespace where the stack has roles that name some. Nothing is known of one that does not
 * say, nor of another server than the one that the state was written to: `notLookedAt` says why. Previews do not ask: the engine checks one resource at a time, and would not know a policy that the program declares later.
 */
export async function livePolicies(stack: StackState, options: EngineOptions): Promise<Asked> {
  const { engineOf, end } = enginesOf(stack, options);
  const found = new Map<string, readonly string[]>();
  const notLookedAt: string[] = [];
  const notCompared = new Set<string>();
  try {
    for (const { provider, servers, ...named } of placesIn(stack)) {
      const place = Object.fromEntries(Object.entries(named).filter(([, value]) => !isEmpty(value)));
      const list = async (path: string) => {
        const { results } = await engineOf(provider).call(listCall(sysPolicy, path), place);
        return vault.names?.of(results["found"]) ?? [];
      };
      try {
        const server = await engineOf(provider).server(sysPolicy, place);
        const stranger = servers.find((written) => server !== undefined && written !== server.identity);
        if (server !== undefined && stranger !== undefined) throw elsewhere(stranger, server.identity);
        const names = await list(ACL);
        if (server === undefined) notCompared.add(UNNAMED);
        else if (servers.length === 0) notCompared.add(`${UNSAID}, ${server.identity}`);
        found.set(placeOf({ provider, ...named }), [...names, ...(await list(ROLE_GOVERNING).catch(noneIfUnknown))]);
      } catch (error) {
        const reason = messageOf(error).replace(/\.$/, "");
        notLookedAt.push(`no policy is called unknown, because they could not be listed: ${reason}`);
      }
    }
  } finally {
    await end();
  }
  return { names: found, notLookedAt, notCompared: [...notCompared] };
}

function elsewhere(written: string, identity: string): ProviderError {
  const what = `the state was written to another server (${written}) than the one that answers (${identity})`;
  return new ProviderError("ConfigError", `${what}: check the address.`);
}

const UNNAMED =
  "whether the policies are those of the server of the state is not known: the one that answers does not say which it is";
const UNSAID =
  "the state does not say to which server it was written, so it was not compared with the one that answers";
const ACL = "sys/policies/acl?list=true";

/** The community edition of Vault, and OpenBao, have no other policies. */
function noneIfUnknown(error: unknown): readonly string[] {
  const said = isProviderError(error) ? (error.details ?? []) : [];
  if (said.some((text) => /enterprise-only feature|unsupported path/.test(text))) return [];
  throw error;
}

function placesIn({ same }: StackState) {
  const places = same.flatMap(({ definition, provider, values }) => {
    const { fields = {} } = definition?.members?.of ?? definition ?? {};
    if (!("tokenPolicies" in fields)) return [];
    const { desired, recorded } = values();
    const { connection, namespace } = desired;
    return [{ provider, connection, namespace, written: recorded[SERVER] }];
  });
  // A run that was cut may leave records of two servers in one place.
  return [...Map.groupBy(places, placeOf).values()].flatMap(([place, ...more]) => {
    if (place === undefined) return [];
    const { written, ...named } = place;
    const all = [written, ...more.map((each) => each.written)].filter((each) => !isEmpty(each)).map(String);
    return [{ ...named, servers: all }];
  });
}
