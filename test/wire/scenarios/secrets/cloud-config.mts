import { defineScenario, refused } from "../../scenario.mts";

const write = "POST cloud/config/root";
const read = "GET cloud/config/root";
const lease = "POST cloud/config/lease";
const coerced = (field: string) => refused(new RegExp(`400 .*error converting input .*for field "${field}"`));

/** Root configuration and leases of the cloud engine. */
export const cloudConfig = defineScenario({
  topic: "cloud-config",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers cloud: Endpoints > GET {mount}/config/root
    { title: "read before it is written", request: read, outcome: "absent" },
    {
      title: "write the least",
      request: write,
      body: { access_key: "AKIAEXAMPLEEXAMPLE00", secret_key: "never-shown" },
      outcome: "ok",
    },
    { title: "read the least", request: read, outcome: "ok" },
    {
      title: "write everything",
      request: write,
      body: {
        access_key: "AKIAEXAMPLEEXAMPLE01",
        secret_key: "never-shown",
        region: "eu-central-1",
        iam_endpoint: "http://iam.example",
        sts_endpoint: "http://sts.example",
        sts_region: "eu-central-1",
        sts_fallback_endpoints: ["http://a.example", "http://b.example"],
        sts_fallback_regions: ["eu-west-1", "eu-west-2"],
        max_retries: 3,
        username_template: "{{ .DisplayName }}-<x>",
        identity_token_ttl: "1h",
      },
      outcome: "ok",
    },
    // @covers cloud: Root configuration > iam_endpoint
    // @covers cloud: Root configuration > sts_endpoint
    // @covers cloud: Endpoints > GET {mount}/config/root
    // @covers beyond: cloud.RootConfig > sts_region
    {
      title: "read everything",
      request: read,
      outcome: { found: { region: "eu-central-1", max_retries: 3, sts_fallback_regions: ["eu-west-1", "eu-west-2"] } },
    },
    { title: "write one field", request: write, body: { region: "us-west-2" }, outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/config/root
    { title: "read what one field left", request: read, outcome: "ok" },
    {
      title: "reset everything",
      request: write,
      body: {
        access_key: "",
        secret_key: "",
        region: "",
        iam_endpoint: "",
        sts_endpoint: "",
        sts_region: "",
        sts_fallback_endpoints: [],
        sts_fallback_regions: [],
        max_retries: -1,
        username_template: "",
        identity_token_ttl: 0,
        role_arn: "",
        identity_token_audience: "",
      },
      outcome: "ok",
    },
    // @covers cloud: Root configuration > iam_endpoint
    // @covers cloud: Endpoints > POST {mount}/config/root
    // @covers beyond: cloud.RootConfig > disable_automated_rotation
    {
      title: "read everything reset",
      request: read,
      outcome: { found: { access_key: "", max_retries: -1, identity_token_ttl: 0, sts_fallback_regions: [] } },
    },
    {
      title: "write nulls",
      request: write,
      body: { max_retries: null, region: null, sts_fallback_regions: null },
      outcome: "ok",
    },
    { title: "read nulls", request: read, outcome: "ok" },
    // @covers cloud: Root configuration > access_key
    // @covers cloud: Authentication > credentials are not checked
    { title: "write an access key alone", request: write, body: { access_key: "AKIAEXAMPLEEXAMPLE02" }, outcome: "ok" },
    { title: "write a broken template", request: write, body: { username_template: "{{ bad" }, outcome: "ok" },
    { title: "write unknown members", request: write, body: { nonsense: 1 }, outcome: "ok" },
    // @covers beyond: cloud.RootConfig > rotation_period
    // @covers beyond: cloud.RootConfig > disable_automated_rotation
    {
      title: "write rotation that asks for nothing",
      request: write,
      body: { rotation_period: 0, disable_automated_rotation: true },
      outcome: "ok",
    },
    // @covers cloud: Root configuration > access_key
    // @covers cloud: Root configuration > identity_token_audience
    {
      title: "refuse an audience beside a key",
      request: write,
      body: { access_key: "AKIAEXAMPLEEXAMPLE03", identity_token_audience: "a" },
      outcome: refused(/400 only one of 'access_key' or 'identity_token_audience' can be set/),
    },
    // @covers cloud: Root configuration > role_arn
    {
      title: "refuse an audience without a role",
      request: write,
      body: { access_key: "", identity_token_audience: "a" },
      outcome: refused(/400 missing required 'role_arn' when 'identity_token_audience' is set/),
    },
    // @covers cloud: What the service does > root credentials
    // @covers cloud: Root configuration > identity_token_audience
    {
      title: "refuse an identity on the community edition",
      request: write,
      body: { access_key: "", identity_token_audience: "a", role_arn: "arn:aws:iam::123456789012:role/a" },
      outcome: refused(/plugin workload identity not supported in Vault community edition/),
    },
    // @covers beyond: cloud.RootConfig > sts_fallback_endpoints
    {
      title: "refuse endpoints without regions",
      request: write,
      body: { sts_fallback_endpoints: ["http://a.example"] },
      outcome: refused(/400 fallback endpoints and fallback regions must be the same length/),
    },
    // @covers beyond: cloud.RootConfig > rotation_schedule
    {
      title: "refuse a rotation schedule",
      request: write,
      body: { rotation_schedule: "0 0 * * *", rotation_window: 3600, disable_automated_rotation: false },
      outcome: refused(/rotation manager capabilities not supported in Vault community edition/),
    },
    // @covers beyond: cloud.RootConfig > rotation_period
    {
      title: "refuse a rotation period",
      request: write,
      body: { rotation_period: "24h", disable_automated_rotation: false },
      outcome: refused(/rotation manager capabilities not supported in Vault community edition/),
    },
    // @covers beyond: cloud.RootConfig > rotation_window
    {
      title: "refuse a window without a schedule",
      request: write,
      body: { rotation_window: 3600 },
      outcome: refused(/cannot use rotation_window without rotation_schedule/),
    },
    // @covers cloud: Root configuration > region
    { title: "refuse a region that is a list", request: write, body: { region: ["a"] }, outcome: coerced("region") },
    // @covers cloud: Root configuration > max_retries
    {
      title: "refuse a fraction of retries",
      request: write,
      body: { max_retries: 1.5 },
      outcome: coerced("max_retries"),
    },
    // @covers cloud: Root configuration > identity_token_ttl
    {
      title: "refuse a lifetime that is none",
      request: write,
      body: { identity_token_ttl: "abc" },
      outcome: coerced("identity_token_ttl"),
    },
    // @covers beyond: cloud.RootConfig > rotation_schedule
    { title: "read what the refusals left", request: read, outcome: "ok" },
    { title: "delete", request: "DELETE cloud/config/root", outcome: refused(/405 unsupported operation/) },
    // @covers cloud: Endpoints > GET {mount}/config/lease
    { title: "read the lease before it is written", request: "GET cloud/config/lease", outcome: "absent" },
    // @covers cloud: Endpoints > POST {mount}/config/lease
    { title: "write the lease", request: lease, body: { lease: "24h", lease_max: "768h" }, outcome: "ok" },
    // @covers cloud: Endpoints > GET {mount}/config/lease
    { title: "read the lease", request: "GET cloud/config/lease", outcome: "ok" },
    { title: "write the lease in other ways", request: lease, body: { lease: 90, lease_max: "1d" }, outcome: "ok" },
    // @covers cloud: Endpoints > POST {mount}/config/lease
    {
      title: "read the lease written in other ways",
      request: "GET cloud/config/lease",
      outcome: { found: { lease: "1m30s", lease_max: "24h0m0s" } },
    },
    // @covers cloud: Lease configuration > lease_max
    { title: "write a lease over its maximum", request: lease, body: { lease: "2h", lease_max: "1h" }, outcome: "ok" },
    { title: "write a lease of nothing", request: lease, body: { lease: "0", lease_max: "0" }, outcome: "ok" },
    { title: "read a lease of nothing", request: "GET cloud/config/lease", outcome: "ok" },
    // @covers cloud: Lease configuration > lease
    {
      title: "refuse no lease",
      request: lease,
      body: { lease_max: "1h" },
      outcome: refused(/400 'lease' is a required parameter/),
    },
    // @covers cloud: Lease configuration > lease_max
    // @covers cloud: Endpoints > POST {mount}/config/lease
    {
      title: "refuse no maximum",
      request: lease,
      body: { lease: "1h" },
      outcome: refused(/400 'lease_max' is a required parameter/),
    },
    {
      title: "refuse an empty lease",
      request: lease,
      body: { lease: "", lease_max: "1h" },
      outcome: refused(/400 'lease' is a required parameter/),
    },
    // @covers cloud: Lease configuration > lease
    {
      title: "refuse a lease that is none",
      request: lease,
      body: { lease: "abc", lease_max: "1h" },
      outcome: refused(/400 Invalid lease: /),
    },
    {
      title: "refuse a maximum in weeks",
      request: lease,
      body: { lease: "1h", lease_max: "1w" },
      outcome: refused(/400 Invalid lease_max: /),
    },
    {
      title: "refuse a lease that is a list",
      request: lease,
      body: { lease: ["1h"], lease_max: "1h" },
      outcome: coerced("lease"),
    },
    { title: "delete the lease", request: "DELETE cloud/config/lease", outcome: refused(/405 unsupported operation/) },
  ],
});
