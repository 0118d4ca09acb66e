import { tenantIn } from "../../../provider/core/tenant";
import { hasUnknown } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { listed } from "./trust-change";

/** Which records a test means, where a stack has records of several servers or namespaces. */
export interface TestPlace {
  /** Name of the connection; `""` for records that name none. Any when unset. */
  readonly connection?: string | undefined;
  /** `""` for the connection's own. Any when unset. */
  readonly namespace?: string | undefined;
}

/** The records of a place, and those of which it is not known yet where they are. */
export function recordsAt(records: readonly EvaluatedRecord[], place: TestPlace): readonly EvaluatedRecord[] {
  return records.filter((record) =>
    WORDS.every((word) => {
      const wanted = place[word];
      return wanted === undefined || NAMED[word](record).some((name) => hasUnknown(name) || name === wanted);
    }),
  );
}

/** Why no record can be meant; undefined where the stack has records at the place. */
export function missingPlace(records: readonly EvaluatedRecord[], place: TestPlace): string | undefined {
  for (const word of WORDS) {
    const [wanted, names] = [
      place[word],
      [...new Set(records.flatMap(NAMED[word]))].filter((name) => !hasUnknown(name)),
    ];
    if (wanted === undefined || names.includes(wanted)) continue;
    const known = listed(
      names.toSorted().map((name) => JSON.stringify(name)),
      "and",
    );
    return `the stack has no record with the ${word} ${JSON.stringify(wanted)}: it has ${known || "none"}`;
  }
  return undefined;
}

interface Meant extends TestPlace {
  readonly mount: string;
  readonly role?: string | undefined;
}

/**
 * The place of a test. Where it says no namespace, and all roles that it may mean are in one, it is that one; live servers
 * share nothing, so there the connection is that of the roles, too.
 */
export function placeOfTest(records: readonly EvaluatedRecord[], meant: Meant, isLive: boolean): TestPlace {
  const only = (word: (typeof WORDS)[number], place: TestPlace) => {
    const [first, ...others] = new Set(rolesOf(records, { ...meant, ...place }).flatMap(NAMED[word]));
    return others.length > 0 || hasUnknown(first) ? undefined : first;
  };
  const { namespace } = meant;
  const connection = meant.connection ?? (isLive ? only("connection", {}) : undefined);
  return { connection, namespace: namespace ?? only("namespace", { connection }) };
}

/** The names of the connections by which there are roles that a test may mean. */
export function serversOf(records: readonly EvaluatedRecord[], meant: Meant): readonly string[] {
  return [...new Set(rolesOf(records, meant).flatMap(NAMED.connection))];
}

function rolesOf(records: readonly EvaluatedRecord[], { mount, role, ...place }: Meant): readonly EvaluatedRecord[] {
  return recordsAt(records, place).filter(
    ({ definition, values }) =>
      ROLES.includes(definition.token) && values["mount"] === mount && (role === undefined || values["name"] === role),
  );
}

const { jwtRole, cloudRole, cloudStaticRole } = definitions;
const ROLES: readonly string[] = [jwtRole, cloudRole, cloudStaticRole].map(({ token }) => token);

const WORDS = ["connection", "namespace"] as const;

const NAMED: Readonly<Record<(typeof WORDS)[number], (record: EvaluatedRecord) => readonly string[]>> = {
  // Peered clusters have two.
  connection: ({ values }) => {
    const own = ["connection", "acceptorConnection", "dialerConnection"].flatMap((name) =>
      typeof values[name] === "string" ? [values[name]] : [],
    );
    return own.length === 0 ? [""] : own;
  },
  namespace: ({ definition, values }) =>
    definition.dialect !== "vault"
      ? []
      : [hasUnknown(values["namespace"]) ? String(values["namespace"]) : (tenantIn("vault", values) ?? "")],
};
