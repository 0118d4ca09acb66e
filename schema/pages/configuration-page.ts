import {
  SERVICE_NAMES,
  type Service,
  type ServiceDefaults,
  serviceDefaults,
} from "../../provider/core/connection-entry";
import { connectionModel, serviceTitles } from "../configuration-schema";
import { markdownTable } from "../markdown-table";
import type { PropertyModel } from "../package-model";

/** Variables that are no field's: they change what another one means. */
const peculiarities: { readonly [S in Service]?: string } = {
  cluster:
    "`CONSUL_HTTP_SSL=true` asks for https where the address has no scheme, `CONSUL_HTTP_SSL_VERIFY=false` for no verification of the certificate.",
};

/** The page about connections: the configuration of the stack, and of an explicit provider. */
export function configurationPage(fields: readonly PropertyModel[]): string {
  const services = SERVICE_NAMES.map((service) => {
    const defaults: ServiceDefaults = serviceDefaults[service];
    const homeFile = defaults.homeFile ? ` Without any, the token is read from \`~/${defaults.homeFile}\`.` : "";
    const rows = connectionModel(fields, service)
      .filter(({ environment, name }) => environment.length > 0 || name === "address")
      .map(({ name, environment, fallback }) => [
        `\`${name}\``,
        environment.map((variable) => `\`${variable}\``).join(", "),
        fallback === undefined ? "" : `\`${String(JSON.parse(fallback))}\``,
      ]);
    const table = markdownTable(["Field", "Environment, the first that is set", "Otherwise"], rows);
    return `## \`trustplane:${service}\`\n\n${serviceTitles[service]}.${homeFile}\n\n${[table, peculiarities[service]].filter(Boolean).join("\n\n")}`;
  });
  const all = fields.map(({ name, description, shape }) => [
    `\`${name}\``,
    shape.kind === "primitive" ? (shape.isWhole ? "integer" : shape.name) : "",
    description.replace(/ \([^()]*\)$/, ""),
  ]);
  return [
    "# Configuration",
    "Each service has a connection of its own, found where its users have it configured already. The stack's configuration comes before the environment.",
    `\`\`\`sh
pulumi config set --plaintext --path trustplane:secrets.address https://vault.example.com
pulumi config set --plaintext --path trustplane:secrets.namespace team/platform
pulumi config set --plaintext --path trustplane:connections.east.service cluster
pulumi config set --plaintext --path trustplane:connections.east.address https://consul.east.example.com
pulumi config set --plaintext --path trustplane:connections.east.tokenEnv CONSUL_EAST_TOKEN
\`\`\`

Pulumi takes some addresses and names of variables for secrets, and refuses them without \`--plaintext\`.`,
    ...services,
    "## `trustplane:connections`",
    'Further connections by name, each with its `service`. A resource picks one with `connection: "east"`; another connection is another server, so changing it replaces the resource. Nothing of the environment is used but the variable that `tokenEnv` names.',
    `## Which token a server is sent

* Where an entry names one, that one and no other: the variable of \`tokenEnv\`, the file of \`tokenFile\`, or \`token\`, in this order. A variable that is unset or blank, and a file that is not there, are errors.
* One exception: the \`token\` of a stack's \`trustplane:secrets\`, \`cluster\` or \`policy\` comes after the variables of the environment, because refresh and destroy see the configuration of the last update.
* Where an entry names none, the service's own connection is sent that of the environment, and a connection by name none.
* A provider of the program (\`new trustplane.Provider\`) is sent that of the environment only where its address is the environment's, too.
* Servers that need no token are asked without one. When such a request is refused, the message says that no token was found, and where it was looked for.`,
    `## A server that was rebuilt

The state remembers which server it was written to, and another one is refused. After a server was rebuilt, name its connection for one run: refresh and destroy see \`rebuilt: true\` in the configuration only after an update.

\`\`\`sh
TRUSTPLANE_REBUILT=secrets,east pulumi refresh
\`\`\``,
    "## All fields",
    markdownTable(["Field", "Type", "What it is"], all),
  ].join("\n\n");
}
