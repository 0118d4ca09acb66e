import { defineScenario, refused, step } from "../../scenario.mts";

const write = "POST cloud/config/root";
const read = "GET cloud/config/root";
const lease = "POST cloud/config/lease";
const coerced = (field: string) => refused(new RegExp(`400 .*error converting input .*for field "${field}"`));

/** Root configuration and leases of the cloud engine. */
export const cloudConfig = defineScenario({
  topic: "cloud-config",
  before: [{ request: "POST sys/mounts/cloud", body: { type: "aws" } }],
  steps: [
    // @covers cloud: Endpoints > GET {mount}/config/root
    step("read before it is written", read, "absent"),
    step("write the least", write, "ok", { body: { access_key: "AKIAEXAMPLEEXAMPLE00", secret_key: "never-shown" } }),
    step("read the least", read, "ok"),
    step("write everything", write, "ok", {
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
    }),
    // @covers cloud: Root configuration > iam_endpoint
    // @covers cloud: Root configuration > sts_endpoint
    // @covers cloud: Endpoints > GET {mount}/config/root
    // @covers beyond: cloud.RootConfig > sts_region
    step("read everything", read, {
      found: { region: "eu-central-1", max_retries: 3, sts_fallback_regions: ["eu-west-1", "eu-west-2"] },
    }),
    step("write one field", write, "ok", { body: { region: "us-west-2" } }),
    // @covers cloud: Endpoints > POST {mount}/config/root
    step("read what one field left", read, "ok"),
    step("reset everything", write, "ok", {
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
    }),
    // @covers cloud: Root configuration > iam_endpoint
    // @covers cloud: Endpoints > POST {mount}/config/root
    // @covers beyond: cloud.RootConfig > disable_automated_rotation
    step("read everything reset", read, {
      found: { access_key: "", max_retries: -1, identity_token_ttl: 0, sts_fallback_regions: [] },
    }),
    step("write nulls", write, "ok", { body: { max_retries: null, region: null, sts_fallback_regions: null } }),
    step("read nulls", read, "ok"),
    // @covers cloud: Root configuration > access_key
    // @covers cloud: Authentication > credentials are not checked
    step("write an access key alone", write, "ok", { body: { access_key: "AKIAEXAMPLEEXAMPLE02" } }),
    step("write a broken template", write, "ok", { body: { username_template: "{{ bad" } }),
    step("write unknown members", write, "ok", { body: { nonsense: 1 } }),
    // @covers beyond: cloud.RootConfig > rotation_period
    // @covers beyond: cloud.RootConfig > disable_automated_rotation
    step("write rotation that asks for nothing", write, "ok", {
      body: { rotation_period: 0, disable_automated_rotation: true },
    }),
    // @covers cloud: Root configuration > access_key
    // @covers cloud: Root configuration > identity_token_audience
    step(
      "refuse an audience beside a key",
      write,
      refused(/400 only one of 'access_key' or 'identity_token_audience' can be set/),
      { body: { access_key: "AKIAEXAMPLEEXAMPLE03", identity_token_audience: "a" } },
    ),
    // @covers cloud: Root configuration > role_arn
    step(
      "refuse an audience without a role",
      write,
      refused(/400 missing required 'role_arn' when 'identity_token_audience' is set/),
      { body: { access_key: "", identity_token_audience: "a" } },
    ),
    // @covers cloud: What the service does > root credentials
    // @covers cloud: Root configuration > identity_token_audience
    step(
      "refuse an identity on the community edition",
      write,
      refused(/plugin workload identity not supported in Vault community edition/),
      { body: { access_key: "", identity_token_audience: "a", role_arn: "arn:aws:iam::123456789012:role/a" } },
    ),
    // @covers beyond: cloud.RootConfig > sts_fallback_endpoints
    step(
      "refuse endpoints without regions",
      write,
      refused(/400 fallback endpoints and fallback regions must be the same length/),
      { body: { sts_fallback_endpoints: ["http://a.example"] } },
    ),
    // @covers beyond: cloud.RootConfig > rotation_schedule
    step(
      "refuse a rotation schedule",
      write,
      refused(/rotation manager capabilities not supported in Vault community edition/),
      { body: { rotation_schedule: "0 0 * * *", rotation_window: 3600, disable_automated_rotation: false } },
    ),
    // @covers beyond: cloud.RootConfig > rotation_period
    step(
      "refuse a rotation period",
      write,
      refused(/rotation manager capabilities not supported in Vault community edition/),
      { body: { rotation_period: "24h", disable_automated_rotation: false } },
    ),
    // @covers beyond: cloud.RootConfig > rotation_window
    step("refuse a window without a schedule", write, refused(/cannot use rotation_window without rotation_schedule/), {
      body: { rotation_window: 3600 },
    }),
    // @covers cloud: Root configuration > region
    step("refuse a region that is a list", write, coerced("region"), { body: { region: ["a"] } }),
    // @covers cloud: Root configuration > max_retries
    step("refuse a fraction of retries", write, coerced("max_retries"), { body: { max_retries: 1.5 } }),
    // @covers cloud: Root configuration > identity_token_ttl
    step("refuse a lifetime that is none", write, coerced("identity_token_ttl"), {
      body: { identity_token_ttl: "abc" },
    }),
    // @covers beyond: cloud.RootConfig > rotation_schedule
    step("read what the refusals left", read, "ok"),
    step("delete", "DELETE cloud/config/root", refused(/405 unsupported operation/)),
    // @covers cloud: Endpoints > GET {mount}/config/lease
    step("read the lease before it is written", "GET cloud/config/lease", "absent"),
    // @covers cloud: Endpoints > POST {mount}/config/lease
    step("write the lease", lease, "ok", { body: { lease: "24h", lease_max: "768h" } }),
    // @covers cloud: Endpoints > GET {mount}/config/lease
    step("read the lease", "GET cloud/config/lease", "ok"),
    step("write the lease in other ways", lease, "ok", { body: { lease: 90, lease_max: "1d" } }),
    // @covers cloud: Endpoints > POST {mount}/config/lease
    step("read the lease written in other ways", "GET cloud/config/lease", {
      found: { lease: "1m30s", lease_max: "24h0m0s" },
    }),
    // @covers cloud: Lease configuration > lease_max
    step("write a lease over its maximum", lease, "ok", { body: { lease: "2h", lease_max: "1h" } }),
    step("write a lease of nothing", lease, "ok", { body: { lease: "0", lease_max: "0" } }),
    step("read a lease of nothing", "GET cloud/config/lease", "ok"),
    // @covers cloud: Lease configuration > lease
    step("refuse no lease", lease, refused(/400 'lease' is a required parameter/), { body: { lease_max: "1h" } }),
    // @covers cloud: Lease configuration > lease_max
    // @covers cloud: Endpoints > POST {mount}/config/lease
    step("refuse no maximum", lease, refused(/400 'lease_max' is a required parameter/), { body: { lease: "1h" } }),
    step("refuse an empty lease", lease, refused(/400 'lease' is a required parameter/), {
      body: { lease: "", lease_max: "1h" },
    }),
    // @covers cloud: Lease configuration > lease
    step("refuse a lease that is none", lease, refused(/400 Invalid lease: /), {
      body: { lease: "abc", lease_max: "1h" },
    }),
    step("refuse a maximum in weeks", lease, refused(/400 Invalid lease_max: /), {
      body: { lease: "1h", lease_max: "1w" },
    }),
    step("refuse a lease that is a list", lease, coerced("lease"), { body: { lease: ["1h"], lease_max: "1h" } }),
    step("delete the lease", "DELETE cloud/config/lease", refused(/405 unsupported operation/)),
  ],
});
