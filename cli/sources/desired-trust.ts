import { sayNotLookedAt, type Terminal } from "../io/terminal";
import { assertWhole, desired, recordsOf } from "../stack/desired-stack";
import type { Entities } from "../stack/entities";
import type { EvaluatedRecord } from "../stack/evaluated-records";
import { loginsNotLookedAt } from "../stack/login-collections";
import type { OtherLogin } from "./other-logins";
import { stackIn } from "./read-stack";
import { type NamedStack, type StackReading, stackSource } from "./stack-source";

/** What a stack wants, as tests and explanations look at it. */
export interface DesiredTrust {
  readonly records: readonly EvaluatedRecord[];
  /** Names of groups by the server's ids, as far as these are known. */
  readonly groupNames: ReadonlyMap<string, string>;
  readonly logins: readonly OtherLogin[];
  /** Of servers, where they were asked for. */
  readonly entities: Entities | undefined;
  /** What is not among them, in sentences. */
  readonly notLookedAt: readonly string[];
}

/** What a state or a preview wants, or servers have. What is not looked at is said beside the answer. */
export async function desiredTrust(named: NamedStack, terminal: Terminal, how: StackReading): Promise<DesiredTrust> {
  const given = await stackSource(named, terminal, how);
  const stack = desired(stackIn(given));
  assertWhole(stack);
  const records = recordsOf(stack);
  const beside = how.others === "read" && !named.live ? loginsNotLookedAt(records) : [];
  const notLookedAt = [...given.notLookedAt, ...stack.notLookedAt, ...beside];
  sayNotLookedAt(notLookedAt, terminal);
  return {
    records,
    groupNames: new Map([...stack.groups].map(([id, { name }]) => [id, name])),
    logins: given.logins,
    entities: given.entities,
    notLookedAt,
  };
}
