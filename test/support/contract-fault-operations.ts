import { expect } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { argsToDelete } from "./contract-case.ts";
import { type Endangered, firstChange } from "./contract-fault-loop.ts";
import type { Subject } from "./contract-subject.ts";
import type { Pairing } from "./contract-suite.ts";

/** The four operations that can be interrupted, each with what must hold then and what the next run does. */
export function endangeredOperations(pairing: Pairing): Readonly<Record<OperationName, Endangered>> {
  const { of, resource } = pairing;
  const change = firstChange(pairing);
  const changes = new WeakMap<Subject, { before: Values; after: Values }>();
  const entries = new WeakMap<Subject, unknown>();
  const argsOf = (subject: Subject) => {
    const args = changes.get(subject);
    if (args === undefined) throw new Error("the subject was not prepared");
    return args;
  };
  const prepare = async (subject: Subject) => {
    const before = await subject.with(subject.ground.full, change.from);
    const after = await subject.with(before, change.patch);
    changes.set(subject, { before, after });
    await subject.stack.up(before);
    entries.set(subject, subject.stack.entry());
  };
  const isKept = (subject: Subject) => expect(subject.stack.entry()).toEqual(entries.get(subject));
  const isThere = (subject: Subject) => expect(subject.stack.entry()?.id).toBeDefined();
  return {
    create: {
      before: async () => {},
      operate: ({ stack, ground }) => stack.up(ground.full),
      // Nothing is recorded, or what was written is, to be completed.
      afterFailure: ({ stack }) => expect(stack.entry()?.unfinished ?? true).toBe(true),
      recover: async (subject) => {
        // A token that works once may have been used up by the attempt.
        const args = await subject.with(subject.ground.full, of.again);
        await subject.stack.up(args);
        await expectDone(subject, args);
      },
    },
    read: {
      before: prepare,
      operate: ({ stack }) => stack.refresh(),
      afterFailure: isKept,
      recover: async (subject) => expectDone(subject, argsOf(subject).before),
    },
    update: {
      before: prepare,
      operate: (subject) => subject.stack.up(argsOf(subject).after),
      afterFailure: isThere,
      recover: async (subject) => {
        const args = await subject.with(argsOf(subject).after, of.again);
        await subject.stack.up(args);
        await expectDone(subject, args);
      },
    },
    delete: {
      before: async (subject) => {
        await subject.stack.up(argsToDelete(resource, subject.ground));
        entries.set(subject, subject.stack.entry());
      },
      operate: ({ stack }) => stack.destroy(),
      afterFailure: isKept,
      recover: async (subject) => {
        await subject.stack.destroy();
        expect(subject.stack.entry()).toBeUndefined();
        const staysForEver = of.skips?.some((skip) => skip.case === "delete removes the record");
        if (!staysForEver) expect(await subject.stored()).toBeUndefined();
      },
    },
  };
}

export const operationNames = ["create", "read", "update", "delete"] as const;
export type OperationName = (typeof operationNames)[number];

/** The record is there, as the program says. */
async function expectDone({ stack }: Subject, args: Values): Promise<void> {
  expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(args)).toEqual({ step: "same", replaces: [] });
}
