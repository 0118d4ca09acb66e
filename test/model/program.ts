import { SECRET_INPUTS } from "../../provider/core/state-names.ts";
import { dynamicTypeToken, typeToken } from "../../provider/core/type-token.ts";
import { definitions } from "../../provider/resources/index.ts";
import { optionsOf, type Traits } from "../../sdk/resource.ts";
import type { Goal } from "./entry.ts";
import type { Args, Field, Kind } from "./kind.ts";
import { type KindName, kinds } from "./kinds.ts";
import { isObject, isSealed, type Marked, opened, secret } from "./marks.ts";
import { type HostName, PROVIDER } from "./provider-process.ts";
import { NAMED } from "./world.ts";

/** Under which name Pulumi knows a resource. */
export interface Name {
  readonly name: string;
  readonly component: string | undefined;
}

/** A resource in the program. */
export interface Declaration extends Name {
  readonly number: number;
  readonly kind: KindName;
  /** Values of the fields, by argument, with the name that the record has on the server. */
  readonly values: Args;
  /** The mount in which it is: another resource of the program, or one that is just there. */
  readonly mount: number | string | undefined;
  /** Which of the program's providers has it. */
  readonly instance: number;
  /** Fields that the program marks as secret. */
  readonly marks: readonly string[];
  /** Names that it had before, and that the program says. */
  readonly aliases: readonly Name[];
  /** Names that it had before, and of which the program says nothing. */
  readonly former: readonly Name[];
}

/** What the user has written, and what he does to it. */
export class Program {
  declarations: readonly Declaration[] = [];
  /** All resources name a connection, which leads to the same servers as none. */
  isNamed = false;
  /** Since the last run that succeeded, resources have got other names, or another host: Pulumi's aliases allow one of both. */
  moved: "names" | "host" | undefined;
  /** What the program said when a run last succeeded. */
  settled: readonly Declaration[] = [];
  /** Whose each record was when a run last succeeded. */
  owners: ReadonlyMap<string, number> = new Map();
  #made = 0;

  host: HostName;

  constructor(host: HostName) {
    this.host = host;
  }

  /** A text that is nowhere else, and that is found again wherever it ends up. */
  readonly fresh = (): string => {
    this.#made += 1;
    return `ndl${String(this.#made).padStart(6, "0")}q`;
  };

  add(declaration: Omit<Declaration, "number">): Declaration {
    this.#made += 1;
    const added = { ...declaration, number: this.#made };
    this.declarations = [...this.declarations, added];
    return added;
  }

  /** Before all others, as they may need it. */
  bringBack(one: Pick<Declaration, "kind" | "name" | "component" | "values" | "instance">): void {
    const others = this.declarations;
    const back = this.add({ ...one, mount: undefined, marks: [], aliases: [], former: [] });
    this.declarations = [back, ...others];
  }

  change(number: number, patch: Partial<Declaration>): void {
    this.declarations = this.declarations.map((one) => (one.number === number ? { ...one, ...patch } : one));
  }

  /** With everything that lives in it. */
  remove(number: number): void {
    this.declarations = this.declarations.filter((one) => one.number !== number && one.mount !== number);
  }

  byNumber(number: number): Declaration | undefined {
    return this.declarations.find((one) => one.number === number);
  }

  /** What the program says of the record, in plain values. */
  argsOf({ kind, values, mount }: Declaration): Args {
    const of = typeof mount === "number" ? this.byNumber(mount)?.values["path"] : mount;
    const inMount = of === undefined ? {} : { mount: of };
    const { written = (same: Args) => same, fixed, service }: Kind = kinds[kind];
    const connection = this.isNamed ? { connection: NAMED[service] } : {};
    return withoutUnset({ ...fixed(this.fresh), ...connection, ...written({ ...inMount, ...values }) });
  }

  /** The same with what is secret in envelopes: what the program marks, and what the class does. */
  inputsOf(declaration: Declaration): Marked {
    const kind: Kind = kinds[declaration.kind];
    const args = this.argsOf(declaration);
    const byProgram = kind.fields.filter(({ arg }) => declaration.marks.includes(arg));
    const marked = byProgram.reduce((values, field) => marking(values, field, declaration), args);
    const byClass = kind.secrets(args);
    if (this.host !== "dynamic") return marked;
    const sealed = Object.entries(marked).map(([key, value]) => [key, byClass.includes(key) ? secret(value) : value]);
    // The dynamic classes say beside the arguments what the program keeps secret, of what is not secret by class.
    const known = Object.keys(definitions[kind.resource].secrets);
    const paths = Object.entries(marked).flatMap(([name, value]) =>
      known.includes(name) ? [] : pathsIn(value, [name]),
    );
    const secretInputs = paths.length === 0 ? {} : { [SECRET_INPUTS]: paths };
    // Pulumi keeps the text of the provider beside the properties.
    const provider = { [PROVIDER]: `require("trustplane/dynamic/${kind.resource}")` };
    return { ...Object.fromEntries(sealed), ...secretInputs, ...provider };
  }

  /** Texts that must be seen nowhere while the program says so. */
  secretsOf(declaration: Declaration): readonly string[] {
    const kind: Kind = kinds[declaration.kind];
    const args = this.argsOf(declaration);
    const byClass = kind.secrets(args).map((key) => args[key]);
    const byProgram = kind.fields
      .filter(({ arg }) => declaration.marks.includes(arg))
      .map((field) => secretPart(declaration.values[field.arg], field));
    // The engine is given plain values: what the program has marked, only the hosts of Pulumi know.
    return needlesIn(["engine", "terraform"].includes(this.host) ? byClass : [byClass, byProgram]);
  }

  urnOf(declaration: Declaration): string {
    return urnFrom(this.#typeOf(declaration), declaration);
  }

  goals(): readonly Goal[] {
    return this.declarations.map((declaration) => {
      const kind: Kind = kinds[declaration.kind];
      const inputs = this.inputsOf(declaration);
      const own = this.#optionsOf(kind, inputs);
      const holder = typeof declaration.mount === "number" ? this.byNumber(declaration.mount) : undefined;
      return {
        resource: kind.resource,
        instance: declaration.instance,
        urn: this.urnOf(declaration),
        aliases: this.#aliasesOf(declaration, own.types),
        inputs: () => inputs,
        dependsOn: holder ? [this.urnOf(holder)] : [],
        additionalSecretOutputs: own.additionalSecretOutputs,
      };
    });
  }

  /** The URNs under which the state may know it. */
  urnsOf(declaration: Declaration): readonly string[] {
    const { types } = this.#optionsOf(kinds[declaration.kind], {});
    return [this.urnOf(declaration), ...this.#aliasesOf(declaration, types)];
  }

  #aliasesOf(declaration: Declaration, types: readonly string[]): readonly string[] {
    const names = declaration.aliases.map((name) => urnFrom(this.#typeOf(declaration), name));
    return [...names, ...types.map((type) => urnFrom(type, declaration))];
  }

  #typeOf({ kind }: Declaration): string {
    const { token } = kinds[kind];
    return this.host === "dynamic" ? dynamicTypeToken(token) : typeToken(token);
  }

  /** The options that our own classes set. */
  #optionsOf(kind: Kind, inputs: Marked): { additionalSecretOutputs: readonly string[]; types: readonly string[] } {
    if (this.host !== "dynamic") return { additionalSecretOutputs: [], types: [dynamicTypeToken(kind.token)] };
    const { secrets, secretOutputs, fields, outputs } = definitions[kind.resource];
    const properties = [...Object.keys(fields), ...Object.keys(outputs)];
    const tokens = { token: dynamicTypeToken(kind.token), otherToken: typeToken(kind.token) };
    const traits = { ...tokens, properties, secrets, secretOutputs, lookUp: [] };
    const { additionalSecretOutputs = [], aliases } = optionsOf(traits as Traits, opened(inputs) as object);
    const types = Array.isArray(aliases) ? aliases.map((alias) => (isObject(alias) ? String(alias["type"]) : "")) : [];
    return { additionalSecretOutputs, types: types.filter((type) => type !== "") };
  }
}

function urnFrom(type: string, { name, component }: Name): string {
  const parent = component === undefined ? "" : `app:index:${component}$`;
  return `urn:pulumi:dev::model::${parent}${type}::${name}`;
}

/** Under which name a state has a resource. */
export function nameIn(urn: string): Name {
  return { name: urn.split("::").at(-1) ?? "", component: /::app:index:([^$]+)\$/.exec(urn)?.[1] };
}

export function typeIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

function withoutUnset(values: Args): Args {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The part of a field's value that the program marks. */
function secretPart(value: unknown, { markable }: Field): unknown {
  if (markable !== "last element") return value;
  const array = isObject(value) ? Object.values(value)[0] : value;
  return Array.isArray(array) ? array.at(-1) : undefined;
}

/** The arguments with envelopes around the field's part. What stands for a field is found by its value. */
function marking(args: Args, field: Field, { values }: Declaration): Args {
  const value = values[field.arg];
  const part = secretPart(value, field);
  if (part === undefined) return args;
  const isPart = (one: unknown) => one === part || (isObject(part) && Object.values(part).includes(one));
  const mark = (one: unknown): unknown => {
    if (isPart(one)) return secret(one);
    if (Array.isArray(one)) return one.map(mark);
    return isObject(one) ? Object.fromEntries(Object.entries(one).map(([key, of]) => [key, mark(of)])) : one;
  };
  return mark(args) as Args;
}

/** Where the envelopes are. */
function pathsIn(value: unknown, path: Path): Path[] {
  if (isSealed(value)) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsIn(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key])) : [];
}

type Path = readonly (string | number)[];

/** The texts that `fresh` has made, wherever they are in a value. */
export function needlesIn(value: unknown): string[] {
  return JSON.stringify(value ?? null).match(/ndl\d{6}q/g) ?? [];
}
