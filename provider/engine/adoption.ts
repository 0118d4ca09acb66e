import type { ServerInfo } from "../core/availability";
import type { Values } from "../core/definition";
import { diff } from "../core/diff";
import { same } from "../core/field";
import { bodyOf, outputsOf, stateOf } from "../core/record";
import { isRecord } from "../core/unknowns";
import { messageOf, type Operation, observe, titleOf, write } from "./operation";
import { clear, removalOf } from "./removal";

/** Writes a record that is new to the program, also where an earlier one is in the way. */
export async function writeNew(operation: Operation, inputs: Values, server: ServerInfo | undefined): Promise<unknown> {
  const { definition } = operation;
  const create = () => write(operation, definition.create, inputs, bodyOf(definition, inputs, server));
  try {
    return await create();
  } catch (error) {
    const removal = removalOf(operation, inputs);
    if (removal && definition.outgoing?.test(messageOf(error))) {
      await clear(operation, removal, inputs);
      return create();
    }
    if (definition.adopt?.conflict.test(messageOf(error))) return takeOver(operation, inputs, server, error);
    throw error;
  }
}

/** A record of the same name becomes ours if it can be brought to what the program says. */
async function takeOver(operation: Operation, inputs: Values, server: ServerInfo | undefined, conflict: unknown) {
  const { definition, log } = operation;
  const found = await observe(operation, inputs);
  if (found === undefined) throw conflict;
  const olds = stateOf(definition, found, inputs);
  const agrees = (definition.adopt?.by ?? []).every((key) => {
    const field = definition.fields[key];
    return field === undefined || same(field, olds[key], inputs[key]);
  });
  if (!agrees) throw conflict;
  log("info", `${titleOf(definition, inputs)} exists already and is taken over`);
  const values = { ...outputsOf(definition, olds), ...inputs };
  const removal = removalOf(operation, values);
  if (removal && diff(definition, olds, inputs).replaces.length > 0) {
    await clear(operation, removal, values);
    return write(operation, definition.create, inputs, bodyOf(definition, inputs, server));
  }
  const body = bodyOf(definition, values, server);
  const written = await write(operation, definition.update, values, definition.update.against?.(body, olds) ?? body);
  return isRecord(written) ? written : found;
}
