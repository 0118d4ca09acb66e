import { SERVICE_NAMES, type Service, TAKE_OVER } from "../provider/core/connection-entry";
import { connectionModel, environmentSentence, serviceTitles, TAKE_OVER_TEXT } from "./configuration-schema";
import type { PropertyModel } from "./package-model";
import { inputType, recordTypes } from "./sdk-types";
import { comment, propertyProse } from "./tsdoc";

/** The source of the class of explicit providers, with the types of its arguments. */
export function nativeProvider(fields: readonly PropertyModel[]): string {
  const args = SERVICE_NAMES.map(
    (name) => `  /** How to reach ${serviceTitles[name]}. */\n  ${name}?: ${optional(interfaceName(name))};`,
  );
  return [
    `import * as pulumi from "@pulumi/pulumi";
import { textsOf } from "./configuration-texts";`,
    ...SERVICE_NAMES.map((name) => connectionInterface(fields, name)),
    connectionInterface(fields),
    ...recordTypes(fields.map(({ shape }) => shape)),
    `/** How the servers are reached. What is not set comes from the environment of the servers' own tools; its token only where the address is the environment's. */
export interface ProviderArgs {
${args.join("\n")}
  /** Further connections by name; a resource picks one with \`connection\`. */
  connections?: ${optional("Record<string, pulumi.Input<NamedConnectionArgs>>")};
  /** ${TAKE_OVER_TEXT} */
  takeOver?: ${optional(TAKE_OVER.map((word) => JSON.stringify(word)).join(" | "))};
}`,
    `/**
 * A provider with connections of its own, for resources that are given it as their option \`provider\`.
 *
 * @example
 * \`\`\`ts
 * import * as trustplane from "trustplane/native";
 *
 * const provider = new trustplane.Provider("west", {
 *   cluster: { address: "https://consul.west.example.com", tokenEnv: "WEST_CONSUL_TOKEN" },
 * });
 * new trustplane.cluster.PeeringToken("east", { peerName: "east" }, { provider });
 * \`\`\`
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super("trustplane", name, textsOf(args), opts);
  }
}`,
  ].join("\n\n");
}

function connectionInterface(fields: readonly PropertyModel[], service?: Service): string {
  const summary = service ? `A connection to ${serviceTitles[service]}.` : "A further connection.";
  const words = SERVICE_NAMES.map((name) => JSON.stringify(name)).join(" | ");
  const kind = service ? [] : [`  /** Which kind of server it is. */\n  service: pulumi.Input<${words}>;`];
  const members = connectionModel(fields, service).map((field) => {
    const prose = [propertyProse(field), environmentSentence(field)].filter(Boolean).join(" ");
    const tags = field.fallback === undefined ? [] : [`@default ${field.fallback}`];
    return `${comment([prose, ...tags], "  ")}\n  ${field.name}?: ${inputType(field.shape, { isOptional: true })};`;
  });
  return `${comment([summary])}\nexport interface ${interfaceName(service ?? "named")} {\n${[...kind, ...members].join("\n")}\n}`;
}

function interfaceName(of: string): string {
  return `${of.charAt(0).toUpperCase()}${of.slice(1)}ConnectionArgs`;
}

function optional(type: string): string {
  return `pulumi.Input<${type} | undefined>`;
}
