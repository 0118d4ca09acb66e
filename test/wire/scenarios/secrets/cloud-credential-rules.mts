import { defineScenario, refused } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

const arn = "arn:aws:iam::123456789012:role/deployer";
const document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:ListBucket","Resource":"*"}]}';
const templated = (username_template: string) => ({ ...root, username_template });

/** What decides over issued credentials: times, names, the cloud's own limits, legacy roles and the name's template. */
export const cloudCredentialRules = defineScenario({
  topic: "cloud-credential-rules",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/mounts/cloud", body: { type: "aws" } },
    { request: "POST cloud/config/root", body: root },
    {
      request: "POST cloud/roles/full",
      body: {
        credential_type: "iam_user",
        policy_document: document,
        user_path: "/apps/",
        permissions_boundary_arn: "arn:aws:iam::aws:policy/PowerUserAccess",
        iam_tags: { team: "a", empty: "" },
      },
    },
    {
      request: "POST cloud/roles/attached",
      body: { credential_type: "iam_user", policy_arns: ["arn:aws:iam::123456789012:policy/none"] },
    },
    { request: "POST cloud/roles/grouped", body: { credential_type: "iam_user", iam_groups: "none" } },
    { request: "POST cloud/roles/broken", body: { credential_type: "iam_user", policy_document: "{}" } },
    { request: "POST cloud/roles/short", body: { credential_type: "iam_user", policy_arns: "arn:x" } },
    {
      request: "POST cloud/roles/assumed",
      body: {
        credential_type: "assumed_role",
        role_arns: [arn, `${arn}b`],
        session_tags: { team: "a" },
        external_id: "ext",
        policy_document: document,
      },
    },
    {
      request: "POST cloud/roles/limited",
      body: { credential_type: "assumed_role", role_arns: arn, default_sts_ttl: "20m", max_sts_ttl: "40m" },
    },
    {
      request: "POST cloud/roles/tight",
      body: {
        credential_type: "federation_token",
        policy_document: document,
        default_sts_ttl: "1m",
        max_sts_ttl: "2m",
      },
    },
    {
      request: "POST cloud/roles/federated",
      body: { credential_type: "federation_token", policy_document: document },
    },
    {
      request: "POST cloud/roles/federatedgroup",
      body: { credential_type: "federation_token", iam_groups: ["none"] },
    },
    { request: "POST cloud/roles/session", body: { credential_type: "session_token" } },
    { request: "POST cloud/roles/old", body: { policy: document } },
    { request: "POST cloud/roles/oldrole", body: { arn } },
    { request: "POST cloud/roles/oldpolicy", body: { arn: "arn:aws:iam::aws:policy/ReadOnlyAccess" } },
  ],
  steps: [
    { title: "a user with everything", request: "GET cloud/creds/full", outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/sts/{name}
    { title: "a user through sts", request: "POST cloud/sts/full", body: { ttl: "15m", nonsense: 1 }, outcome: "ok" },
    // @covers cloud: Errors > other status codes
    {
      title: "a user with a policy that is not there",
      request: "GET cloud/creds/attached",
      outcome: refused(/400 Error attaching user policy: NoSuchEntity/),
    },
    // @covers cloud: Role > iam_groups
    {
      title: "a user in a group that is not there",
      request: "GET cloud/creds/grouped",
      outcome: refused(/400 Error adding user to group: NoSuchEntity/),
    },
    {
      title: "a user with a document that is no policy",
      request: "GET cloud/creds/broken",
      outcome: refused(/400 Error putting user policy: MalformedPolicyDocument/),
    },
    {
      title: "a user with a policy too short for an ARN",
      request: "GET cloud/creds/short",
      outcome: refused(/400 Error attaching user policy: InvalidParameter/),
    },
    { title: "one of two roles", request: `POST cloud/sts/assumed`, body: { role_arn: arn }, outcome: "ok" },
    {
      title: "a session of a name",
      request: "POST cloud/sts/assumed",
      body: { role_arn: `${arn}b`, role_session_name: "a b/c:d" },
      outcome: "ok",
    },
    // @covers cloud: Generation parameters > role_session_name
    // @covers cloud: Limits > session name of 64
    {
      title: "a session of a name too long",
      request: "POST cloud/sts/assumed",
      body: { role_arn: arn, role_session_name: "n".repeat(65) },
      outcome: refused(/400 Error assuming role: ValidationError/),
    },
    // @covers cloud: Generation parameters > role_session_name
    {
      title: "a session of a name too short",
      request: "POST cloud/sts/assumed",
      body: { role_arn: arn, role_session_name: "n", ttl: 899 },
      outcome: refused(/400 Error assuming role: InvalidParameter: 2 validation error/),
    },
    // @covers cloud: Role > default_sts_ttl
    { title: "for the role's default time", request: "GET cloud/creds/limited", outcome: "ok" },
    { title: "for less than the role's limit", request: "GET cloud/creds/limited?ttl=30m", outcome: "ok" },
    // @covers cloud: Role > max_sts_ttl
    { title: "for more than the role's limit", request: "GET cloud/creds/limited?ttl=9h", outcome: "ok" },
    {
      title: "for less than the cloud's minimum",
      request: "GET cloud/creds/limited?ttl=899",
      outcome: refused(/400 Error assuming role: InvalidParameter/),
    },
    {
      title: "for the role's limit, less than the cloud's minimum",
      request: "GET cloud/creds/tight?ttl=1h",
      outcome: refused(/400 Error generating STS keys: InvalidParameter/),
    },
    { title: "a federation", request: "GET cloud/sts/federated", outcome: "ok" },
    {
      title: "a federation with a group that is not there",
      request: "GET cloud/sts/federatedgroup",
      outcome: refused(/400 NoSuchEntity/),
    },
    // @covers cloud: What the service does > four types of credentials
    { title: "a session", request: "GET cloud/creds/session?ttl=900", outcome: "ok" },
    // @covers cloud: Generation parameters > mfa_code
    {
      title: "a session with a code that is too short",
      request: "GET cloud/creds/session?mfa_code=1",
      outcome: refused(/400 Error generating STS keys: InvalidParameter/),
    },
    { title: "of a legacy policy, a user", request: "GET cloud/creds/old", outcome: "ok" },
    // @covers cloud: Rules of generation > 1: creds and sts
    { title: "of a legacy policy by sts, a federation", request: "GET cloud/sts/old", outcome: "ok" },
    // @covers cloud: Rules of generation > 1: creds and sts
    {
      title: "of a legacy role by creds",
      request: "GET cloud/creds/oldrole",
      outcome: refused(/400 attempted to retrieve assumed_role credentials through the creds path/),
    },
    { title: "of a legacy role by sts", request: "GET cloud/sts/oldrole", outcome: "ok" },
    // @covers cloud: Rules of generation > 1: creds and sts
    {
      title: "of a legacy ARN by sts",
      request: "GET cloud/sts/oldpolicy",
      outcome: refused(/400 attempted to retrieve iam_user credentials through the sts path/),
    },
    {
      title: "name by another template",
      request: "POST cloud/config/root",
      body: templated(
        '{{ if (eq .Type "STS") }}{{ printf "f-%s" (random 5) }}{{ else }}{{ .Type | lowercase }}-{{ .DisplayName | uppercase }}-{{.PolicyName | replace "assu" "consu" | truncate 9}}{{ end }}',
      ),
      outcome: "ok",
    },
    { title: "a session named by it", request: `GET cloud/sts/assumed?role_arn=${arn}`, outcome: "ok" },
    { title: "a federation named by it", request: "GET cloud/sts/federated", outcome: "ok" },
    {
      title: "a template that makes long names",
      request: "POST cloud/config/root",
      body: templated('{{ if (eq .Type "STS") }}{{ random 33 }}{{ else }}{{ random 65 }}{{ end }}'),
      outcome: "ok",
    },
    // @covers cloud: Errors > name over its cap
    {
      title: "a user with a long name",
      request: "GET cloud/creds/full",
      outcome: refused(/500 the username generated by the template exceeds the IAM username length limits of 64 chars/),
    },
    // @covers cloud: Errors > name over its cap
    {
      title: "a role's session with a long name",
      request: `GET cloud/sts/assumed?role_arn=${arn}`,
      outcome: refused(/500 the username generated by the template exceeds the IAM username length limits of 64 chars/),
    },
    // @covers cloud: Errors > name over its cap
    {
      title: "a federation with a long name",
      request: "GET cloud/sts/federated",
      outcome: refused(/500 the username generated by the template exceeds the STS username length limits of 32 chars/),
    },
    ...[
      ["an action that is not closed", "{{ random 20"],
      ["an unknown function", "{{ nonsense 20 }}"],
      ["a condition without an end", '{{ if (eq .Type "STS") }}x'],
      ["an end without a condition", "x{{ end }}"],
      ["no name", "{{ }}"],
      ["a parenthesis that is not closed", "{{ (random 20 }}"],
      ["a text that is not closed", '{{ printf "x }}'],
      ["an unknown field", "x{{ .Nothing }}"],
      ["a length of none", "ab{{ .Type | truncate 0 }}"],
      ["a length that is a text", '{{ random "x" }}'],
      ["too few arguments", "{{ truncate 3 }}"],
      ["too many arguments", "{{ unix_time 3 }}"],
      ["a comparison of unlike things", "{{ if eq .Type 3 }}x{{ end }}"],
    ].flatMap(([what = "", template = ""]) => [
      {
        title: `a template with ${what}`,
        request: "POST cloud/config/root",
        body: templated(template),
        outcome: "ok" as const,
      },
      {
        title: `a user named by a template with ${what}`,
        request: "GET cloud/creds/full",
        outcome: refused(/500 (?:unable to initialize username template|failed to generate username)/),
      },
    ]),
    {
      title: "a template with all functions",
      request: "POST cloud/config/root",
      body: templated(
        '{{- /* none */ -}} a {{- "b" | sha256 | truncate 4 }}{{ `c` | base64 }}{{ "dddddddddddd" | truncate_sha256 10 }}{{ if not (and true (ne 1 2)) }}no{{ else if gt (len "ab") 1 }}{{ printf "%d-%v-%q" 5 true "x" | len }}{{ end }} {{- print "e" 1 }}',
      ),
      outcome: "ok",
    },
    // @covers cloud: Root configuration > username_template
    { title: "a session named by all functions", request: `GET cloud/sts/assumed?role_arn=${arn}`, outcome: "ok" },
    // Last of those that are issued: what the embedded server refuses would shift the numbers of keys.
    {
      title: "for more than the cloud's maximum",
      request: "POST cloud/sts/federated",
      body: { ttl: "37h" },
      outcome: "ok",
    },
    {
      title: "configure half of a key",
      request: "POST cloud/config/root",
      body: { ...root, secret_key: "" },
      outcome: "ok",
    },
    // @covers cloud: Root configuration > secret_key
    {
      title: "a user with half of a key",
      request: "GET cloud/creds/full",
      outcome: refused(/400 static AWS client credentials haven't been properly configured/),
    },
    {
      title: "a session with half of a key",
      request: "GET cloud/creds/session",
      outcome: refused(/400 static AWS client credentials haven't been properly configured/),
    },
  ],
});
