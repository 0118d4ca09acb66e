import type { Table, Tables } from "../data/tables";
import { JsonApiRefusal, notFound } from "./json-api";
import { type Parameter, type ParameterChanges, parameterErrors } from "./parameter-rules";
import { randomId } from "./random-id";

/** The parameters of several policy sets, each set in the order of creation. */
export interface ParameterStore {
  list(policySet: string): readonly Parameter[];
  read(policySet: string, id: string): Parameter;
  create(policySet: string, changes: ParameterChanges): Parameter;
  update(policySet: string, id: string, changes: ParameterChanges): Parameter;
  remove(policySet: string, id: string): void;
  /** Removes the parameters of a set that is gone. */
  removeAll(policySet: string): void;
  records(): Record<string, unknown>;
}

/**
 * Every method but `removeAll` and `records` throws JsonApiRefusal: 404 for an unknown set or id, 422 for a broken rule.
 * `sets` says which sets there are.
 */
export function createParameterStore(
  sets: { ids(): readonly string[]; has(id: string): boolean },
  tables: Tables,
): ParameterStore {
  const opened = new Map<string, Table<Parameter>>();

  /** A table is opened once. */
  function tableOf(policySet: string): Table<Parameter> {
    const table = opened.get(policySet) ?? tables.open<Parameter>(`policy/parameters/${policySet}`);
    opened.set(policySet, table);
    return table;
  }

  function parametersOf(policySet: string): Table<Parameter> {
    if (!sets.has(policySet)) throw notFound();
    return tableOf(policySet);
  }

  function read(policySet: string, id: string): Parameter {
    const parameter = parametersOf(policySet).get(id);
    if (parameter === undefined) throw notFound();
    return parameter;
  }

  return {
    read,
    list: (policySet) => [...parametersOf(policySet).values()],
    create(policySet, changes) {
      const parameters = parametersOf(policySet);
      refuseIfAny(parameterErrors({ changes, others: [...parameters.values()] }));
      const parameter = { key: "", value: "", category: "", sensitive: false, ...changes, id: randomId("var") };
      parameters.set(parameter.id, parameter);
      return parameter;
    },
    update(policySet, id, changes) {
      const current = read(policySet, id);
      const parameters = parametersOf(policySet);
      const others = [...parameters.values()].filter((other) => other.id !== id);
      refuseIfAny(parameterErrors({ current, changes, others }));
      const parameter = { ...current, ...changes };
      parameters.set(id, parameter);
      return parameter;
    },
    remove(policySet, id) {
      read(policySet, id);
      parametersOf(policySet).delete(id);
    },
    removeAll: (policySet) => tableOf(policySet).clear(),
    records() {
      const entries = sets
        .ids()
        .flatMap((policySet) =>
          [...tableOf(policySet).values()].map((parameter) => [
            `policy-sets/${policySet}/parameters/${parameter.id}`,
            parameter,
          ]),
        );
      return Object.fromEntries(entries);
    },
  };
}

function refuseIfAny(errors: ReturnType<typeof parameterErrors>): void {
  if (errors.length > 0) throw new JsonApiRefusal(422, errors);
}
