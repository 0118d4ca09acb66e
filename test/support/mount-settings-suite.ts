import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskingVault, asker, type VaultAsk } from "./vault-ask.ts";

type Kind = "auth" | "mounts";
type Setting = readonly [kind: Kind, type: string, settings: object, shown: object];
type Refused = readonly [kind: Kind, type: string, settings: object, error: string];

const lockout = { lockout_threshold: "5", lockout_duration: "10m", lockout_counter_reset_duration: 1200 };
const shownLockout = {
  user_lockout_counter_reset_duration: 1200,
  user_lockout_disable: false,
  user_lockout_duration: 600,
  user_lockout_threshold: 5,
};

/** What a new mount is given, and what it shows. */
const created: readonly Setting[] = [
  ["auth", "approle", { force_no_cache: true }, { force_no_cache: false }],
  ["mounts", "aws", { force_no_cache: true }, { force_no_cache: true }],
  ["auth", "jwt", { allowed_managed_keys: "a,b" }, { allowed_managed_keys: ["a", "b"] }],
  ["mounts", "aws", { delegated_auth_accessors: ["x"] }, { delegated_auth_accessors: ["x"] }],
  ["auth", "approle", { delegated_auth_accessors: ["x"] }, {}],
  ["mounts", "aws", { identity_token_key: "default" }, { identity_token_key: "default" }],
  ["auth", "approle", { identity_token_key: "" }, {}],
  ["mounts", "aws", { trim_request_trailing_slashes: true }, { trim_request_trailing_slashes: true }],
  ["auth", "approle", { user_lockout_config: { lockout_threshold: 5 } }, {}],
];

/** What a mount is tuned with, and what it shows then. */
const tuned: readonly Setting[] = [
  ["mounts", "aws", { allowed_managed_keys: ["a"] }, { allowed_managed_keys: ["a"] }],
  ["auth", "approle", { allowed_managed_keys: ["a"], delegated_auth_accessors: ["x"] }, {}],
  ["mounts", "aws", { delegated_auth_accessors: "x,y" }, { delegated_auth_accessors: ["x", "y"] }],
  ["auth", "jwt", { identity_token_key: "default" }, { identity_token_key: "default" }],
  ["auth", "jwt", { trim_request_trailing_slashes: "true" }, { trim_request_trailing_slashes: true }],
  ["auth", "approle", { user_lockout_config: lockout }, { user_lockout_config: shownLockout }],
  ["auth", "jwt", { user_lockout_config: {} }, {}],
];

const unconverted = (kind: string) => `unable to convert given ${kind} config information`;
const refusedAtStart: readonly Refused[] = [
  ["mounts", "aws", { delegated_auth_accessors: "x,y" }, unconverted("mount")],
  ["auth", "jwt", { trim_request_trailing_slashes: "true" }, unconverted("auth")],
  ["auth", "approle", { user_lockout_config: { lockout_threshold: "5" } }, unconverted("auth")],
  ["mounts", "aws", { identity_token_key: "zz" }, 'key "zz" does not exist'],
  ["mounts", "aws", { plugin_version: "v9.9.9" }, "cannot select non-builtin version of secrets plugin aws"],
];
const notLocked = 'tuning of user lockout configuration for auth type "jwt" not allowed';
const refusedTuning: readonly Refused[] = [
  ["auth", "jwt", { user_lockout_config: { lockout_threshold: 5 } }, notLocked],
  [
    "auth",
    "approle",
    { user_lockout_config: { lockout_disable: "x" } },
    "unable to convert given user lockout config information",
  ],
  ["auth", "approle", { user_lockout_config: { lockout_duration: "x" } }, 'time: invalid duration "x"'],
  ["auth", "approle", { identity_token_key: "zz" }, 'key "zz" does not exist'],
  ["auth", "approle", { plugin_version: "1" }, "plugin not found in the catalog: approle, version=v1.0.0"],
];

/** Settings of mounts beside lifetimes: what is accepted is kept and shown. */
export function describeMountSettings(product: string, open: () => Promise<AskingVault>): void {
  describe(`settings of mounts on ${product}`, () => {
    let vault: AskingVault;
    let ask: VaultAsk;
    beforeAll(async () => {
      vault = await open();
      ask = asker(vault);
    });
    afterAll(() => vault.close());

    const enabled = (kind: Kind, type: string, more: object = {}) =>
      ask(`DELETE sys/${kind}/probe`).then(() => ask(`POST sys/${kind}/probe`, { body: { type, ...more } }));
    /** Without what every mount shows. */
    const settings = async (kind: Kind) => {
      const { data } = await ask(`GET sys/${kind}/probe`);
      const { default_lease_ttl, max_lease_ttl, token_type, ...shown } = Object(data?.["config"]);
      return shown;
    };

    it.each(created)("sys/%s: %s enabled with %j shows %j", async (kind, type, config, shown) => {
      expect((await enabled(kind, type, { config })).status).toBe(204);
      expect(await settings(kind)).toEqual({ force_no_cache: false, ...shown });
    });
    it.each(tuned)("sys/%s: %s tuned with %j shows %j", async (kind, type, body, shown) => {
      await enabled(kind, type);
      expect((await ask(`POST sys/${kind}/probe/tune`, { body })).status).toBe(204);
      expect(await settings(kind)).toEqual({ force_no_cache: false, ...shown });
    });
    it.each(refusedAtStart)("sys/%s: %s is not enabled with %j: %s", async (kind, type, config, error) => {
      expect(await enabled(kind, type, { config })).toMatchObject({ status: 400, errors: error });
    });
    it.each(refusedTuning)("sys/%s: %s is not tuned with %j: %s", async (kind, type, body, error) => {
      await enabled(kind, type);
      expect(await ask(`POST sys/${kind}/probe/tune`, { body })).toMatchObject({ status: 400, errors: error });
    });

    it("a part of the lockout keeps the rest, and a threshold that is no number is an error", async () => {
      await enabled("auth", "approle");
      const tune = (part: object) => ask("POST sys/auth/probe/tune", { body: { user_lockout_config: part } });
      await tune(lockout);
      await tune({ lockout_disable: true });
      const wanted = { ...shownLockout, user_lockout_disable: true };
      expect(await settings("auth")).toMatchObject({ user_lockout_config: wanted });
      expect((await ask("GET sys/auth/probe/tune")).data).toMatchObject(wanted);
      const wrong = 'unable to parse user lockout threshold: strconv.ParseUint: parsing "x": invalid syntax';
      expect(await tune({ lockout_threshold: "x" })).toMatchObject({
        status: 500,
        errors: `1 error occurred:\n\t* ${wrong}\n\n`,
      });
    });

    it("external entropy is a setting of the mount itself", async () => {
      await enabled("mounts", "aws", { external_entropy_access: true });
      expect((await ask("GET sys/mounts/probe")).data).toMatchObject({ external_entropy_access: true });
      expect((await ask("GET sys/mounts/probe/tune")).data).toMatchObject({ external_entropy_access: true });
    });
  });
}
