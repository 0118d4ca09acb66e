import type { Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { isRecord } from "../../provider/core/unknowns";
import { snakeCase } from "../../provider/hosts/terraform/names";
import { partsOfUrn } from "../stack/resource-type";
import { hclQuoted } from "../text/quoted";
import { type KeptInstance, keptInstances, recordsIn } from "./terraform/state";
import { terraformIn } from "./terraform/terraform-json";

/** Whose resource one of an old state is. */
export interface OfProvider {
  /** `vault`, `consul` or `tfe`, and the provider of it: `vault.east`. */
  readonly kind: string;
  readonly provider: string;
}

/** A resource that another provider has in a state. */
export interface OldResource extends OfProvider {
  /** How its tool names it: an address of Terraform, or a URN. */
  readonly address: string;
  /** The type and the attributes as Terraform names them. */
  readonly type: string;
  readonly attributes: Values;
  /** Its name in the old program. */
  readonly name: string;
  readonly isProtected: boolean;
  /** What its configuration refers to, as its tool names that, without the keys of instances. */
  readonly dependencies: readonly string[];
}

/** The resources of a state, in its order, and the tool that it belongs to. */
export interface OldState {
  readonly tool: "terraform" | "pulumi";
  readonly resources: readonly OldResource[];
}

/** The providers whose records resources of ours are, too. */
const PROVIDERS = /^(vault|consul|tfe)_/;

/** Reads a state of Terraform or an export of a stack. Values of resources that this package has no use for are not looked at. */
export function oldState(text: string): OldState {
  const state = parsed(text);
  const deployment = state["deployment"];
  const isPulumi = isRecord(deployment);
  if (!isPulumi && terraformIn(state)?.kind !== "state")
    throw new ProviderError("InputError", `the file of --from-state is no state: ${KINDS}.`);
  const resources = isPulumi
    ? recordsIn(deployment["resources"]).flatMap(fromPulumi)
    : keptInstances(state, hclQuoted).flatMap(fromTerraform);
  const known = resources.filter(({ type }) => PROVIDERS.test(type));
  if (known.length === 0)
    throw new ProviderError("InputError", "the state has no resource of the vault, consul or tfe provider.");
  return { tool: isPulumi ? "pulumi" : "terraform", resources: known };
}

const KINDS = "give what `terraform state pull` or `pulumi stack export` prints";

function parsed(text: string): Values {
  try {
    const state: unknown = JSON.parse(text);
    if (isRecord(state)) return state;
  } catch {
    // The parser's message would show a part of the state.
  }
  throw new ProviderError("InputError", `the file of --from-state is no JSON: ${KINDS}.`);
}

function fromTerraform({ address, type, path, name, key, provider, instance }: KeptInstance): OldResource[] {
  const { attributes, deposed } = instance;
  if (deposed !== undefined || !isRecord(attributes)) return [];
  const kind = kindOf(type);
  return [
    {
      ...{ address, type, attributes, kind, isProtected: false },
      name: [...modulesIn(path), name, ...(key === undefined ? [] : [String(key)])].join("-"),
      provider: terraformProvider(kind, provider),
      dependencies: textsIn(instance, "dependencies"),
    },
  ];
}

/** The names in a path of modules, with what tells their instances: `a` and `x` of `module.a["x"].` */
function modulesIn(path: string): string[] {
  const parts = path.matchAll(/module\.([^.[]+)(?:\[(?:"((?:[^"\\]|\\.)*)"|(\d+))\])?\./g);
  return [...parts].flatMap(([, name = "", key, number]) => [name, ...((key ?? number) ? [key ?? number ?? ""] : [])]);
}

function fromPulumi(resource: Values): OldResource[] {
  const { urn, id, outputs, custom } = resource;
  const isOld = resource["delete"] === true || resource["external"] === true;
  if (typeof urn !== "string" || custom !== true || isOld) return [];
  const { type, name } = partsOfUrn(urn);
  const given = Object.entries(isRecord(outputs) ? outputs : {});
  const attributes = Object.fromEntries(given.map(([property, value]) => [snakeCase(property), value]));
  const isProtected = resource["protect"] === true;
  const kind = kindOf(type);
  return [
    {
      address: urn,
      type: terraformType(type),
      attributes: { ...attributes, id },
      name,
      isProtected,
      kind,
      provider: pulumiProvider(kind, String(resource["provider"] ?? "")),
      dependencies: textsIn(resource, "dependencies"),
    },
  ];
}

/** `vault` of `vault_policy` and of `vault:index/policy:Policy`. */
function kindOf(type: unknown): string {
  return String(type).split(/[_:]/)[0] ?? "";
}

/** `vault_jwt_auth_backend` of `vault:jwt/authBackend:AuthBackend`. */
function terraformType(type: string): string {
  const [provider = "", path = "", name = ""] = type.split(":");
  const [module = ""] = path.split("/");
  return [provider, ...(module === "index" ? [] : [module]), snakeCase(name)].join("_");
}

function textsIn(values: Values, name: string): string[] {
  const list = values[name];
  return Array.isArray(list) ? list.map(String) : [];
}

/** `vault.east` of Terraform's `provider["registry/hashicorp/vault"].east`, with the module that has it before. */
function terraformProvider(kind: string, address: string): string {
  const [, module = "", alias = ""] = /^(.*?)provider(?:\["[^"]*"\]|\.[^.[]+)(.*)$/s.exec(address) ?? [];
  return module + kind + alias;
}

/** The same of a provider's URN. The default ones of several releases all have the stack's configuration. */
function pulumiProvider(kind: string, reference: string): string {
  const { name } = partsOfUrn(reference.split("::").slice(0, 4).join("::"));
  return reference === "" || /^default(_|$)/.test(name) ? kind : `${kind}.${name}`;
}
