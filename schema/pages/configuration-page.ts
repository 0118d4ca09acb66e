import {
  SERVICE_NAMES,
  type Service,
  type ServiceDefaults,
  serviceDefaults,
} from "../../provider/core/connection-entry";
import { connectionModel, serviceTitles } from "../configuration-schema";
import { markdownTable } from "../markdown-table";
import type { PropertyModel } from "../package-model";
import { sourcesSection } from "../sources";

/** What the table of fields cannot say: variables that are no field's. */
const peculiarities: { readonly [S in Service]?: string } = {
  policy:
    "`TF_TOKEN_app_terraform_io` and `~/.terraform.d/credentials.tfrc.json`, which `terraform login` writes, have tokens for one host each. They are looked at last, and for every `https` connection to that host that names no token. In the variable's name a dot of the host is `_`, and a hyphen `__`.",
  cluster:
    "`CONSUL_HTTP_SSL=true` selects https where the address has no scheme. `CONSUL_HTTP_SSL_VERIFY=false` switches the verification of the certificate off.",
};

/** The page about connections: the configuration of the stack, and of an explicit provider. */
export function configurationPage(fields: readonly PropertyModel[]): string {
  const services = SERVICE_NAMES.map((service) => {
    const defaults: ServiceDefaults = serviceDefaults[service];
    const homeFile = defaults.homeFile
      ? ` If none of these has a token, it is read from \`~/${defaults.homeFile}\`.`
      : "";
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
    description,
  ]);
  return [
    "# Configuration",
    "Each service has its own connection. It comes from the stack's configuration and, where that is silent, from the environment variables that the service's own tools read.",
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
    'Further connections by name, each with its `service`. A resource picks one with `connection: "east"`; another connection is another server, so a change of it replaces the resource. Of the environment, only the variable that `tokenEnv` names is used.',
    `## Which token a server is sent

* If an entry names a token, only that token: the variable of \`tokenEnv\`, the file of \`tokenFile\`, or \`token\`, in this order. A variable that is unset or blank, and a missing file, are errors.
* One exception: the \`token\` of a stack's \`trustplane:secrets\`, \`cluster\` or \`policy\` comes after the variables of the environment, because refresh and destroy only see the configuration of the last update.
* If an entry names no token, the service's own connection uses the token of the environment. A connection by name then uses none, except the token that Terraform's command has for the very host.
* An explicit provider (\`new trustplane.Provider\`) uses the token of the environment only if its address is also the one of the environment.
* Without any token, requests are sent without one, because some servers need none. If the server refuses such a request, the message says that no token was found, and where trustplane looked for it.`,
    `## A server that was rebuilt

The state remembers to which server it was written; any other server is refused. After a server was rebuilt, name its connection for one run, because refresh and destroy see \`rebuilt: true\` in the configuration only after an update.

\`\`\`sh
TRUSTPLANE_REBUILT=secrets,east pulumi refresh
\`\`\`

With \`offline: true\` the server is never asked which one it is. A warning says that nothing verifies it.`,
    "## All fields",
    markdownTable(["Field", "Type", "What it is"], all),
    sourcesSection(fields),
  ].join("\n\n");
}
