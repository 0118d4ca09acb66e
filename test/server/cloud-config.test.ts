import { describe, expect, it } from "vitest";
import { setUpCloud, withoutRequestId, wrapped } from "./cloud-harness";

const defaultTemplate =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

const unset = {
  access_key: "",
  region: "",
  iam_endpoint: "",
  sts_endpoint: "",
  sts_region: "",
  sts_fallback_endpoints: [],
  sts_fallback_regions: [],
  max_retries: -1,
  username_template: defaultTemplate,
  role_arn: "",
  identity_token_audience: "",
  identity_token_ttl: 0,
  rotation_schedule: "",
  rotation_window: 0,
  rotation_period: 0,
  disable_automated_rotation: false,
};

describe("config/root", () => {
  // @covers cloud: Root configuration > secret_key
  // @covers cloud: Endpoints > GET {mount}/config/root
  it("is absent until written, and then shows everything but the secret key", async () => {
    const { read, write, storage } = setUpCloud();
    expect(await read("config/root")).toEqual({ status: 404 });
    expect(await write("config/root", { secret_key: "s" })).toEqual({ status: 204 });
    expect(await read("config/root")).toEqual({ status: 200, data: unset, warnings: [] });
    expect(storage.get("config/root")).toEqual({ ...unset, secret_key: "s" });
  });

  it("keeps what a write leaves out, except the username template", async () => {
    const { read, write, storage } = setUpCloud();
    const first = { access_key: "a", secret_key: "s", region: "eu", max_retries: 3, identity_token_ttl: "1h" };
    await write("config/root", { ...first, username_template: "{{ bad" });
    expect((await read("config/root")).data).toMatchObject({ username_template: "{{ bad", identity_token_ttl: 3600 });
    await write("config/root", { iam_endpoint: "http://x", identity_token_ttl: null });
    const kept = { ...unset, ...first, iam_endpoint: "http://x", identity_token_ttl: 3600 };
    expect(storage.get("config/root")).toEqual(kept);
  });

  it.each([
    [{ max_retries: null }, { max_retries: 0 }],
    [
      { access_key: "", region: null },
      { access_key: "", region: "" },
    ],
    [
      { sts_fallback_endpoints: "a, b", sts_fallback_regions: ["x", " y "] },
      { sts_fallback_endpoints: ["a", "b"], sts_fallback_regions: ["x", "y"] },
    ],
    [{ username_template: null }, {}],
    [{ username_template: "" }, {}],
    [{ rotation_policy: "ignored" }, {}],
    [{ rotation_window: 0 }, {}],
    [{ rotation_schedule: "", rotation_window: 5 }, { rotation_window: 5 }],
    [
      { disable_automated_rotation: true, rotation_period: 60 },
      { disable_automated_rotation: true, rotation_period: 60 },
    ],
  ])("stores %j", async (body, stored) => {
    const { read, write } = setUpCloud();
    expect(await write("config/root", body)).toEqual({ status: 204 });
    expect((await read("config/root")).data).toEqual({ ...unset, ...stored });
  });

  const sameLength = "fallback endpoints and fallback regions must be the same length";
  const noRotation =
    "error registering rotation job: error registering rotation job: rotation manager capabilities not supported in Vault community edition";
  const exclusive = "only one of 'access_key' or 'identity_token_audience' can be set";
  const noWindow = "cannot use rotation_window without rotation_schedule";
  it.each([
    [{ sts_fallback_endpoints: "a" }, sameLength],
    [{ sts_fallback_endpoints: "a", rotation_window: 60 }, sameLength],
    [{ access_key: "a", identity_token_audience: "b" }, exclusive],
    [{ access_key: "a", identity_token_audience: "b", rotation_window: 1 }, noWindow],
    [{ identity_token_audience: "b" }, "missing required 'role_arn' when 'identity_token_audience' is set"],
    [
      { identity_token_audience: "b", role_arn: "c", rotation_period: 3 },
      "failed to generate plugin identity token: plugin workload identity not supported in Vault community edition",
    ],
    [{ rotation_schedule: "* * * * *" }, noRotation],
    [{ rotation_period: 60 }, noRotation],
    [{ rotation_window: 60 }, noWindow],
    [{ rotation_period: 5, rotation_window: 5 }, "rotation_window does not apply to period"],
    [
      { rotation_schedule: "x", rotation_period: 5 },
      "mutually exclusive fields rotation_schedule and rotation_period were both specified; only one of them can be provided",
    ],
    [
      { rotation_schedule: "x y", rotation_window: 5 },
      "failed to parse provided rotation_schedule: expected exactly 5 fields, found 2: [x y]",
    ],
  ])("refuses %j and stores nothing", async (body, error) => {
    const { read, write } = setUpCloud();
    expect(await write("config/root", body)).toEqual({ status: 400, error });
    expect(await read("config/root")).toEqual({ status: 404 });
  });

  // @covers beyond: cloud.RootConfig > sts_fallback_endpoints
  // @covers beyond: cloud.RootConfig > sts_fallback_regions
  it("checks the merged record: a list cannot be cleared without the other", async () => {
    const { write } = setUpCloud();
    await write("config/root", { sts_fallback_endpoints: "a", sts_fallback_regions: "b" });
    expect(await write("config/root", { sts_fallback_endpoints: "" })).toEqual({ status: 400, error: sameLength });
    const cleared = { sts_fallback_endpoints: null, sts_fallback_regions: null };
    expect(await write("config/root", cleared)).toEqual({ status: 204 });
  });

  it("cannot be deleted", async () => {
    const { configure, remove } = setUpCloud();
    await configure();
    expect(await remove("config/root")).toEqual({ status: 405, error: wrapped("unsupported operation") });
  });
});

describe("config/rotate-root", () => {
  // @covers cloud: Endpoints > POST {mount}/config/rotate-root
  it("gives the root user a new key, stores it and deletes the old one", async () => {
    const { configure, write, read, identity, storage } = setUpCloud();
    await configure();
    const answer = await write("config/rotate-root");
    const [user] = identity.users();
    expect(user?.name).toBe("root-AKIAFIRST");
    expect(user?.accessKeys).toHaveLength(1);
    const key = user?.accessKeys[0];
    expect(key?.accessKeyId).toMatch(/^AKIA[A-Z2-7]{16}$/);
    expect(answer).toEqual({ status: 200, data: { access_key: key?.accessKeyId }, warnings: [] });
    expect((await read("config/root")).data).toEqual({ ...unset, access_key: key?.accessKeyId });
    expect(storage.get("config/root")).toMatchObject({ secret_key: key?.secretKey });
    expect((await write("config/rotate-root")).status).toBe(200);
  });

  // @covers cloud: Rules of generation > 4: rotating the root key
  it("leaves the old key useless for ever", async () => {
    const { configure, write } = setUpCloud();
    await configure();
    await write("config/rotate-root");
    await configure();
    expect(withoutRequestId(await write("config/rotate-root"))).toEqual({
      status: 500,
      error: wrapped(
        "error calling GetUser: InvalidClientTokenId: The security token included in the request is invalid.\n\tstatus code: 403, request id: <id>",
      ),
    });
  });

  // @covers cloud: Errors > rotation beside another key
  it("fails when the user holds another key, and changes nothing", async () => {
    const { write, read, identity } = setUpCloud();
    const [key] = identity.addUser("root", { accessKeys: 2 }).accessKeys;
    await write("config/root", { access_key: key?.accessKeyId, secret_key: key?.secretKey });
    expect(withoutRequestId(await write("config/rotate-root"))).toEqual({
      status: 500,
      error: wrapped(
        "error calling CreateAccessKey: LimitExceeded: Cannot exceed quota for AccessKeysPerUser: 2\n\tstatus code: 409, request id: <id>",
      ),
    });
    expect((await read("config/root")).data).toMatchObject({ access_key: key?.accessKeyId });
  });

  const incomplete =
    "static AWS client credentials haven't been properly configured (the access key or secret key were provided but not both)";
  it.each([
    [undefined, 500, wrapped("no configuration found for config/root")],
    [{}, 400, "Cannot call config/rotate-root when either access_key or secret_key is empty"],
    [{ access_key: "a" }, 500, wrapped(incomplete)],
    [{ secret_key: "s" }, 500, wrapped(incomplete)],
  ])("with the root configuration %j fails", async (config, status, error) => {
    const { write } = setUpCloud();
    if (config !== undefined) await write("config/root", config);
    expect(await write("config/rotate-root")).toEqual({ status, error });
  });

  it("cannot be read", async () => {
    const { read } = setUpCloud();
    expect(await read("config/rotate-root")).toEqual({ status: 405, error: wrapped("unsupported operation") });
  });
});

describe("config/lease", () => {
  // @covers cloud: Endpoints > GET {mount}/config/lease
  it.each([
    ["1h", "24h", "1h0m0s", "24h0m0s"],
    ["1d", 3600, "24h0m0s", "1h0m0s"],
    ["90s", "1.5h", "1m30s", "1h30m0s"],
    [true, "-1h", "1s", "-1h0m0s"],
    ["1500ms", "100us", "1.5s", "100µs"],
    [0, "1ns", "0s", "1ns"],
  ])("shows %j and %j as Go prints durations", async (lease, lease_max, shownLease, shownMax) => {
    const { read, write } = setUpCloud();
    expect(await write("config/lease", { lease, lease_max })).toEqual({ status: 204 });
    expect((await read("config/lease")).data).toEqual({ lease: shownLease, lease_max: shownMax });
  });

  it.each([
    [{}, "'lease' is a required parameter"],
    [{ lease: "1h" }, "'lease_max' is a required parameter"],
    [{ lease: "", lease_max: "1h" }, "'lease' is a required parameter"],
    [{ lease: "x", lease_max: "1h" }, 'Invalid lease: time: invalid duration "x"'],
    [{ lease: "1h", lease_max: "1.5" }, 'Invalid lease_max: time: missing unit in duration "1.5"'],
  ])("refuses %j", async (body, error) => {
    const { read, write, remove } = setUpCloud();
    expect(await write("config/lease", body)).toEqual({ status: 400, error });
    expect(await read("config/lease")).toEqual({ status: 404 });
    expect((await remove("config/lease")).status).toBe(405);
  });
});
