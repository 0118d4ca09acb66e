import { isEmpty } from "../../provider/core/canonical";
import { isProviderError } from "../../provider/core/errors";
import { vault } from "../../provider/dialects/vault";
import { listCall } from "../../provider/engine/list-call";
import { messageOf } from "../../provider/engine/operation";
import { sysPolicy } from "../../provider/resources/sys/policy";
import { type LivePolicies, placeOf } from "../stack/known-policies";
import type { RecordedStack } from "../stack/recorded-stack";
import { type EngineOptions, enginesOf } from "./engines";
import { ROLE_GOVERNING } from "./read-only";

/**
 * The names of all policies, in each namespace where the stack has roles that name some. Nothing is known of one that does not
 * say. Previews do not ask: the engine checks one resource at a time, and would not know a policy that the program declares later.
 */
export async function livePolicies(stack: RecordedStack, options: EngineOptions): Promise<LivePolicies> {
  const { engineOf, end } = enginesOf(stack, options);
  const found = new Map<string, readonly string[]>();
  try {
    for (const { provider, ...named } of placesIn(stack)) {
      const place = Object.fromEntries(Object.entries(named).filter(([, value]) => !isEmpty(value)));
      const list = async (path: string) => {
        const { results } = await engineOf(provider).call(listCall(sysPolicy, path), place);
        return vault.names?.of(results["found"]) ?? [];
      };
      try {
        const names = await list(ACL);
        found.set(placeOf({ provider, ...named }), [...names, ...(await list(ROLE_GOVERNING).catch(noneIfUnknown))]);
      } catch (error) {
        options.warn(`no policy is called unknown, because they could not be listed: ${messageOf(error)}`);
      }
    }
  } finally {
    await end();
  }
  return found;
}

const ACL = "sys/policies/acl?list=true";

/** The community edition of Vault, and OpenBao, have no other policies. */
function noneIfUnknown(error: unknown): readonly string[] {
  const said = isProviderError(error) ? (error.details ?? []) : [];
  if (said.some((text) => /enterprise-only feature|unsupported path/.test(text))) return [];
  throw error;
}

function placesIn({ resources }: RecordedStack) {
  const places = resources.flatMap((entry) => {
    const { definition, inputs, provider } = entry.recorded();
    const { fields = {} } = definition?.members?.of ?? definition ?? {};
    return "tokenPolicies" in fields
      ? [{ provider, connection: inputs["connection"], namespace: inputs["namespace"] }]
      : [];
  });
  return new Map(places.map((place) => [placeOf(place), place])).values();
}
