import { defineScenario, refused, step } from "../../scenario.mts";
import { cloudRoot as root } from "./cloud-root.mts";

const arn = "arn:aws:iam::123456789012:role/deployer";
const document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:ListBucket","Resource":"*"}]}';
const templated = (username_template: string) => ({ ...root, username_template });

/** What decides over issued credentials: times, names, the cloud's own limits, legacy roles and the name's template. */
export const cloudCredentialRules = defineScenario({
  topic: "cloud-credential-rules",
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
    step("a user with everything", "GET cloud/creds/full", "ok"),
    // @covers cloud: Endpoints > POST {mount}/sts/{name}
    step("a user through sts", "POST cloud/sts/full", "ok", { body: { ttl: "15m", nonsense: 1 } }),
    // @covers cloud: Errors > other status codes
    step(
      "a user with a policy that is not there",
      "GET cloud/creds/attached",
      refused(/400 Error attaching user policy: NoSuchEntity/),
    ),
    // @covers cloud: Role > iam_groups
    step(
      "a user in a group that is not there",
      "GET cloud/creds/grouped",
      refused(/400 Error adding user to group: NoSuchEntity/),
    ),
    step(
      "a user with a document that is no policy",
      "GET cloud/creds/broken",
      refused(/400 Error putting user policy: MalformedPolicyDocument/),
    ),
    step(
      "a user with a policy too short for an ARN",
      "GET cloud/creds/short",
      refused(/400 Error attaching user policy: InvalidParameter/),
    ),
    step("one of two roles", `POST cloud/sts/assumed`, "ok", { body: { role_arn: arn } }),
    step("a session of a name", "POST cloud/sts/assumed", "ok", {
      body: { role_arn: `${arn}b`, role_session_name: "a b/c:d" },
    }),
    // @covers cloud: Generation parameters > role_session_name
    // @covers cloud: Limits > session name of 64
    step(
      "a session of a name too long",
      "POST cloud/sts/assumed",
      refused(/400 Error assuming role: ValidationError/),
      { body: { role_arn: arn, role_session_name: "n".repeat(65) } },
    ),
    // @covers cloud: Generation parameters > role_session_name
    step(
      "a session of a name too short",
      "POST cloud/sts/assumed",
      refused(/400 Error assuming role: InvalidParameter: 2 validation error/),
      { body: { role_arn: arn, role_session_name: "n", ttl: 899 } },
    ),
    // @covers cloud: Role > default_sts_ttl
    step("for the role's default time", "GET cloud/creds/limited", "ok"),
    step("for less than the role's limit", "GET cloud/creds/limited?ttl=30m", "ok"),
    // @covers cloud: Role > max_sts_ttl
    step("for more than the role's limit", "GET cloud/creds/limited?ttl=9h", "ok"),
    step(
      "for less than the cloud's minimum",
      "GET cloud/creds/limited?ttl=899",
      refused(/400 Error assuming role: InvalidParameter/),
    ),
    step(
      "for the role's limit, less than the cloud's minimum",
      "GET cloud/creds/tight?ttl=1h",
      refused(/400 Error generating STS keys: InvalidParameter/),
    ),
    step("a federation", "GET cloud/sts/federated", "ok"),
    step("a federation with a group that is not there", "GET cloud/sts/federatedgroup", refused(/400 NoSuchEntity/)),
    // @covers cloud: What the service does > four types of credentials
    step("a session", "GET cloud/creds/session?ttl=900", "ok"),
    // @covers cloud: Generation parameters > mfa_code
    step(
      "a session with a code that is too short",
      "GET cloud/creds/session?mfa_code=1",
      refused(/400 Error generating STS keys: InvalidParameter/),
    ),
    step("of a legacy policy, a user", "GET cloud/creds/old", "ok"),
    // @covers cloud: Rules of generation > 1: creds and sts
    step("of a legacy policy by sts, a federation", "GET cloud/sts/old", "ok"),
    // @covers cloud: Rules of generation > 1: creds and sts
    step(
      "of a legacy role by creds",
      "GET cloud/creds/oldrole",
      refused(/400 attempted to retrieve assumed_role credentials through the creds path/),
    ),
    step("of a legacy role by sts", "GET cloud/sts/oldrole", "ok"),
    // @covers cloud: Rules of generation > 1: creds and sts
    step(
      "of a legacy ARN by sts",
      "GET cloud/sts/oldpolicy",
      refused(/400 attempted to retrieve iam_user credentials through the sts path/),
    ),
    step("name by another template", "POST cloud/config/root", "ok", {
      body: templated(
        '{{ if (eq .Type "STS") }}{{ printf "f-%s" (random 5) }}{{ else }}{{ .Type | lowercase }}-{{ .DisplayName | uppercase }}-{{.PolicyName | replace "assu" "consu" | truncate 9}}{{ end }}',
      ),
    }),
    step("a session named by it", `GET cloud/sts/assumed?role_arn=${arn}`, "ok"),
    step("a federation named by it", "GET cloud/sts/federated", "ok"),
    step("a template that makes long names", "POST cloud/config/root", "ok", {
      body: templated('{{ if (eq .Type "STS") }}{{ random 33 }}{{ else }}{{ random 65 }}{{ end }}'),
    }),
    // @covers cloud: Errors > name over its cap
    step(
      "a user with a long name",
      "GET cloud/creds/full",
      refused(/500 the username generated by the template exceeds the IAM username length limits of 64 chars/),
    ),
    // @covers cloud: Errors > name over its cap
    step(
      "a role's session with a long name",
      `GET cloud/sts/assumed?role_arn=${arn}`,
      refused(/500 the username generated by the template exceeds the IAM username length limits of 64 chars/),
    ),
    // @covers cloud: Errors > name over its cap
    step(
      "a federation with a long name",
      "GET cloud/sts/federated",
      refused(/500 the username generated by the template exceeds the STS username length limits of 32 chars/),
    ),
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
      step(`a template with ${what}`, "POST cloud/config/root", "ok" as const, { body: templated(template) }),
      step(
        `a user named by a template with ${what}`,
        "GET cloud/creds/full",
        refused(/500 (?:unable to initialize username template|failed to generate username)/),
      ),
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
    step("a session named by all functions", `GET cloud/sts/assumed?role_arn=${arn}`, "ok"),
    // Last of those that are issued: what the embedded server refuses would shift the numbers of keys.
    step("for more than the cloud's maximum", "POST cloud/sts/federated", "ok", { body: { ttl: "37h" } }),
    step("configure half of a key", "POST cloud/config/root", "ok", { body: { ...root, secret_key: "" } }),
    // @covers cloud: Root configuration > secret_key
    step(
      "a user with half of a key",
      "GET cloud/creds/full",
      refused(/400 static AWS client credentials haven't been properly configured/),
    ),
    step(
      "a session with half of a key",
      "GET cloud/creds/session",
      refused(/400 static AWS client credentials haven't been properly configured/),
    ),
  ],
});
