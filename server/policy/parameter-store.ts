import { randomInt } from "node:crypto";
import type { Table, Tables } from "../data/tables";
import { JsonApiRefusal, notFound } from "./json-api";
import { type Parameter, type ParameterChanges, parameterErrors } from "./parameter-rules";

const idAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";

/** The parameters of several policy sets, each set in the order of creation. */
export interface ParameterStore {
  has(policySet: string): boolean;
  list(policySet: string): readonly Parameter[];
  read(policySet: string, id: string): Parameter;
  create(policySet: string, changes: ParameterChanges): Parameter;
  update(policySet: string, id: string, changes: ParameterChanges): Parameter;
  remove(policySet: string, id: string): void;
  records(): Record<string, unknown>;
}

/** Every method but `has` and `records` throws JsonApiRefusal: 404 for an unknown set or id, 422 for a broken rule. */
export function createParameterStore(policySets: readonly string[], tables: Tables): ParameterStore {
  const known = tables.open<true>("policy/sets");
  for (const id of policySets) known.set(id, true);
  const sets = new Map(Array.from(known.keys(), (id) => [id, tables.open<Parameter>(`policy/parameters/${id}`)]));

  function parametersOf(policySet: string): Table<Parameter> {
    const parameters = sets.get(policySet);
    if (parameters === undefined) throw notFound();
    return parameters;
  }

  function read(policySet: string, id: string): Parameter {
    const parameter = parametersOf(policySet).get(id);
    if (parameter === undefined) throw notFound();
    return parameter;
  }

  return {
    read,
    has: (policySet) => sets.has(policySet),
    list: (policySet) => [...parametersOf(policySet).values()],
    create(policySet, changes) {
      const parameters = parametersOf(policySet);
      refuseIfAny(parameterErrors({ changes, others: [...parameters.values()] }));
      const parameter = { key: "", value: "", category: "", sensitive: false, ...changes, id: newParameterId() };
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
    records() {
      const entries = [...sets].flatMap(([policySet, parameters]) =>
        [...parameters.values()].map((parameter) => [`policy-sets/${policySet}/parameters/${parameter.id}`, parameter]),
      );
      return Object.fromEntries(entries);
    },
  };
}

function refuseIfAny(errors: ReturnType<typeof parameterErrors>): void {
  if (errors.length > 0) throw new JsonApiRefusal(422, errors);
}

function newParameterId(): string {
  return `var-${Array.from({ length: 16 }, () => idAlphabet.charAt(randomInt(idAlphabet.length))).join("")}`;
}
