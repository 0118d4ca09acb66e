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
    "What Terraform's and OpenTofu's commands have are tokens for one host each. They are looked at last, and for every `https` connection to that host that names no token, in this order: the variable `TF_TOKEN_app_terraform_io`, in whose name a dot of the host is `_` and a hyphen `__`; the blocks `credentials` of `~/.terraformrc`, `~/.tofurc` and `$XDG_CONFIG_HOME/opentofu/tofurc`, or of the file that `TF_CLI_CONFIG_FILE` or `TERRAFORM_CONFIG` names; and `~/.terraform.d/credentials.tfrc.json` or `$XDG_CONFIG_HOME/opentofu/credentials.tfrc.json`, which `terraform login` and `tofu login` write. On Windows they are `terraform.rc`, `tofu.rc` and `terraform.d/credentials.tfrc.json` in `%APPDATA%`. A file that is there and cannot be read is an error. A `credentials_helper` is not asked: give the token in a variable.",
  cluster:
    "`CONSUL_HTTP_SSL=true` selects https where the address has no scheme. `CONSUL_HTTP_SSL_VERIFY=false` switches the verification of the certificate off. `CONSUL_HTTP_AUTH=user:password` is HTTP basic authentication, which a proxy before Consul may ask for; `httpAuthEnv` names another variable.",
};

/** The page about connections: the configuration of the stack, and of an explicit provider. */
export function configurationPage(fields: readonly PropertyModel[]): string {
  const services = SERVICE_NAMES.map((service) => {
    const defaults: ServiceDefaults = serviceDefaults[service];
    const homeFile = defaults.homeFile
      ? ` If none of these has a token, it is read from \`~/${defaults.homeFile}\`, where [\`trustplane login\`](login.md) puts it.`
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
  const login = fields.find(({ name }) => name === "login")?.shape;
  if (login?.kind !== "record") throw new Error("a connection has no login");
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

Pulumi takes some addresses and names of variables for secrets, and refuses them without \`--plaintext\`. A key that nothing reads and that is like one of these, such as \`trustplane:secret.address\`, is an error.`,
    ...services,
    "## `trustplane:connections`",
    'Further connections by name, each with its `service`. A resource picks one with `connection: "east"`; another connection is another server, so a change of it replaces the resource. Of the environment, only the variables that `tokenEnv` and `httpAuthEnv` name are used.',
    `## Namespaces and partitions

Every resource and function of Vault and OpenBao takes \`namespace\`, and every one of Consul \`partition\`:

\`\`\`ts
import * as trustplane from "trustplane";

new trustplane.jwt.Role("ci", {
  namespace: "team/ci",
  name: "ci",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://vault.example.com"],
  boundSubject: "repo:team/app",
});
\`\`\`

* \`namespace\` is below the connection's own: with \`namespace: team\` in \`trustplane:secrets\` and \`namespace: "ci"\` on a resource, the record is in \`team/ci\`. Slashes at its ends do not count. It is left out for the connection's own namespace, so the name \`root\` is refused.
* \`partition\` replaces the connection's own. A connection with a partition of its own does not lead to \`default\`: name another connection.
* Another namespace or partition is another record, so a change of it replaces the resource. Where the connection's own changes along, and both together lead to the namespace of before, the resource is kept.
* The connection's token and login are used everywhere: a policy of its own namespace names the paths below it, as \`path "team/ci/auth/jwt/role/ci"\`. \`trustplane permissions\` prints them.
* The namespace must exist. A mount in it is a \`sys.AuthMount\` or \`sys.SecretsMount\` with the same \`namespace\`.
* Vault's community edition ignores namespaces, and would do everything in its only one. It is sent no request with one, whether the resource or the connection names it, and nothing is written where a server does not say what it is; \`offline: true\` leaves that to you. Consul's community edition refuses partitions itself.
* To import a record of a namespace, append it to the id: \`'auth/jwt/role/ci?namespace=team/ci'\`. The ids of a peering and of an intention begin with their partition, and that of exported services is their partition; \`default\` in them also stands for the connection's own.`,
    `## Which token a server is sent

* If an entry names a token, only that token: the variable of \`tokenEnv\`, the file of \`tokenFile\`, or \`token\`, in this order. A variable that is unset or blank, and a missing file, are errors.
* One exception: the \`token\` of a stack's \`trustplane:secrets\`, \`cluster\` or \`policy\` comes after the variables of the environment, because refresh and destroy only see the configuration of the last update.
* If an entry names no token, the service's own connection uses the token of the environment, also where its entry names another server than the environment, which a warning says. A connection by name then uses none, except the token that Terraform's command has for the very host.
* An explicit provider (\`new trustplane.Provider\`) uses the token of the environment only if its address is also the one of the environment.
* Without any token, requests are sent without one, because some servers need none. If the server refuses such a request, the message says that no token was found, and where trustplane looked for it.`,
    `## Logging in instead of having a token

An entry may say how to log in. In a job of CI no secret is stored then:

\`\`\`yaml
config:
  trustplane:secrets:
    address: https://vault.example.com
    login:
      method: jwt
      role: ci
\`\`\`

* \`jwt\`: the JWT is that of the job. It is looked for in this order: GitHub Actions (the job needs \`permissions: id-token: write\`), \`VAULT_ID_TOKEN\` (GitLab's \`id_tokens\`), \`TFC_WORKLOAD_IDENTITY_TOKEN\` (HCP Terraform), \`PULUMI_OIDC_TOKEN\` (Pulumi Cloud), and the file of a Kubernetes service account. \`jwtEnv\` or \`jwtFile\` names another place. A JWT that has expired is refused before it is sent.
* \`kubernetes\`: the same for Vault's Kubernetes auth method, with the file of the service account.
* \`approle\`: \`roleId\`, and the secret ID in \`secretIdEnv\` or \`secretIdFile\`; with \`secretIdWrapped\` what is there is unwrapped first. That works once, and a preview is a process of its own: where it logs in, use \`pulumi up --skip-preview\`.
* \`aws\`: IAM, with \`AWS_ACCESS_KEY_ID\`, \`AWS_SECRET_ACCESS_KEY\` and \`AWS_SESSION_TOKEN\` of the environment, else with what AWS's own provider finds: profiles (\`AWS_PROFILE\`), web identity, container credentials and instance metadata. The files of the plugin for other languages and of the provider for Terraform have that provider inside; beside the npm package it is installed by \`npm install @aws-sdk/credential-provider-node\`. As with \`vault login -method=aws\` it is signed for the global endpoint unless \`region\` says otherwise; the auth method's \`sts_endpoint\` and \`sts_region\` must be about the same region. Regions of China and GovCloud have hosts of their own.
* \`cert\`: with \`clientCertFile\` and \`clientKeyFile\`.
* Consul has \`jwt\`: its own auth method of that type, named by \`mount\`.

The auth method may be in a namespace above that of the work: with \`namespace: admin/team\` in \`trustplane:secrets\` and \`namespace: admin\` in its \`login\`, the token is issued, renewed and revoked in \`admin\`, and used in \`admin/team\` by policies of \`admin\` for paths that begin with \`team/\`. It is the whole path, as in \`VAULT_NAMESPACE\`.

One login serves all resources of a run. Its token is renewed when two thirds of its lease are over; where that cannot be, or the server does not know it any more, there is one new login. At the end of the run it is revoked, also after a failure or a signal. A batch token ends by itself.

A job may log in without any of this in the stack's configuration, or with a role of its own: \`TRUSTPLANE_LOGIN_ROLE\` asks for a login by JWT at the server of the environment, with \`TRUSTPLANE_LOGIN_MOUNT\` (\`jwt\` when unset), \`TRUSTPLANE_LOGIN_AUDIENCE\` and \`TRUSTPLANE_LOGIN_NAMESPACE\`. It comes before the \`login\` of \`trustplane:secrets\` and before the tokens of the environment; \`tokenEnv\`, \`tokenFile\` and \`token\` of an entry come before it.

A token in the environment's own variables (\`VAULT_TOKEN\` and the like) comes before the \`login\` of a stack's \`trustplane:secrets\` or \`cluster\`, so that a person can use the same stack with their own token.

${fieldTable(login.members)}`,
    `## TLS, and what stands before a server

* The CA that verifies a server, a client certificate and its key are each a file, a text (\`caCertPem\`, \`clientCertPem\`, \`clientKeyPem\`) or, for CAs, a folder. An entry names each of them once; one that names a CA keeps out the environment's, and one that names a certificate or a key keeps out both. Of the environment's CAs the file counts first, then the text, then the folder, as in the services' own clients.
* \`tlsServerName\` is for an address whose host is not in the certificate, such as that of a tunnel or a load balancer.
* \`headers\` are for a proxy that asks for some of its own. They are sent with every request to the server, logins included, and to no other host, except where a standby of Vault hands a request on to the active node. \`VAULT_HEADERS\` holds them as JSON: \`{"X-Proxy-Key":"…"}\`.
* Headers and basic authentication may be credentials. So those of the environment are sent to the environment's own server only, and no message repeats a value.
* The proxy of \`HTTPS_PROXY\` and \`HTTP_PROXY\` is used, but never for this machine's own addresses. \`NO_PROXY\` is read as the services' own commands read it: addresses, networks such as \`10.0.0.0/8\` and \`2001:db8::/32\`, names, which count for all names below them, each but networks with a port or without, and \`*\` for all. A leading dot leaves out the name itself. A network counts where the address is written as numbers: no name is looked up for it, so add the name. [\`trustplane doctor\`](doctor.md) says which entry counts.`,
    `## A server that was rebuilt

The state remembers to which server it was written; any other server is refused. After a server was rebuilt, refresh once and name its connection in the environment: what is gone leaves the state, and the next update makes it again. What is there counts as made by somebody else ([A record that is there already](#a-record-that-is-there-already)): as it was recorded it stays in the state, and the run says so. With other content, with a secret that no server shows, or as a peering with another id, whose token is another one too, it leaves the state, and the next update is refused. Where it is yours, as after a restored backup, add \`TRUSTPLANE_TAKE_OVER=always\`. A delete of such a run, or of a record whose state still names the former server, removes nothing from the server. An update alone takes note of the new server only for what it changes. Refresh and destroy see \`rebuilt: true\` in the configuration only after an update.

\`\`\`sh
TRUSTPLANE_REBUILT=secrets,east pulumi refresh
\`\`\`

With \`offline: true\` the server is never asked which one it is. A warning says that nothing verifies it.`,
    `## A record that is there already

A new resource whose record is already there takes it over if the record is as the program says, and the run says so. Another one may be
somebody else's: the run is refused with what differs, and with the ways out. \`takeOver\` says what may be done:

| \`takeOver\` | A record that is as the program says | Another one |
| --- | --- | --- |
| \`same\`, when unset | is taken over | is refused, with what differs |
| \`always\` | is taken over | is written over |
| \`never\` | is refused | is refused |

A secret that no server shows, such as \`secretKey\` of \`cloud.RootConfig\`, cannot be compared: a record counts as another one where the program gives such a secret. With \`always\` it is written over, and the preview and the update say so.

It stands in a resource, as one of its properties; in a connection; in \`trustplane:takeOver\` for all connections; or for one run in the environment variable \`TRUSTPLANE_TAKE_OVER\`. The first of these that is set counts. In a resource it is about its creation: to add it, change it or take it out later does nothing.

\`\`\`ts
import * as trustplane from "trustplane";

// Somebody has made this policy by hand, and from now on it is the program's.
new trustplane.sys.Policy("deploy", {
  name: "deploy",
  rules: [{ path: "kv/data/deploy", capabilities: ["read"] }],
  takeOver: "always",
});
\`\`\`

\`\`\`sh
# For the stack, for a connection, for one run:
pulumi config set trustplane:takeOver never
pulumi config set --path trustplane:connections.east.takeOver always
TRUSTPLANE_TAKE_OVER=always pulumi up
\`\`\`

* The preview looks, at up to 200 records that are new, those that are added to a set among them: it says what is there already and what the
  update changes of it. With the plugin (\`trustplane/native\` and the other languages) and in Terraform's plan it is refused where the
  update would be. With the dynamic classes it says so as a warning, and the update is refused.
  [What a preview does not look at](limits.md#what-a-preview-does-not-look-at).
* A group or a mount that somebody else has made in the place of the stack's own, with another id, is not taken for it: a refresh calls
  the own one gone, and the next preview shows a create with this question.
* A record that a state of the run has is nobody else's: one that is made anew, or goes from a set to a resource of its own.
* A configuration that cannot be deleted, and is as a fresh mount has it or was blanked, is nobody's.
* What the stack has made and does not have in its state any more counts as somebody else's where the program has changed since, or
  gives a secret that no server shows: after a killed run, after \`pulumi state delete\`, and a configuration that a destroy has forgotten. So does what gets another name without
  \`aliases\`, or goes from a resource of its own into a set, and is changed in the same run.`,
    `## Advice that is known

What a resource is advised about, such as \`jwt.Role "ci": boundAudiences is not set: …\`, is silenced by its line, in which \`*\` stands for
any text: all of a resource, or one kind of advice for all. \`trustplane:silence\` has a list of such lines, and for one run of
whatever host, or for explicit providers, the environment variable \`TRUSTPLANE_SILENCE\`. Refusals, and what a run says of servers, are
always said.

\`\`\`sh
pulumi config set --path 'trustplane:silence[0]' 'jwt.Role "ci": *'
pulumi config set --path 'trustplane:silence[1]' 'jwt.Role *: boundAudiences *'
TRUSTPLANE_SILENCE='jwt.Role *: boundAudiences *' pulumi up
\`\`\``,
    "## All fields",
    fieldTable(fields),
    sourcesSection(fields),
  ].join("\n\n");
}

function fieldTable(fields: readonly Pick<PropertyModel, "name" | "description" | "shape">[]): string {
  const rows = fields.map(({ name, description, shape }) => [`\`${name}\``, typeText(shape), description]);
  return markdownTable(["Field", "Type", "What it is"], rows);
}

function typeText(shape: PropertyModel["shape"]): string {
  if (shape.kind === "primitive") return shape.isWhole ? "integer" : shape.name;
  if (shape.kind === "words") return shape.words.map((word) => `\`${word}\``).join(", ");
  if (shape.kind === "map") return `map of ${typeText(shape.value)}`;
  return shape.kind === "record" ? "object" : "";
}
