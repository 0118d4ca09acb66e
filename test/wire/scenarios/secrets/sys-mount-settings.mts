import { defineScenario, refused } from "../../scenario.mts";

const settings = { trim_request_trailing_slashes: true, identity_token_key: "default", plugin_version: "" };
const names = { allowed_managed_keys: ["b", "a"], delegated_auth_accessors: ["auth_x", "auth_y"] };
const lockout = { lockout_threshold: "7", lockout_duration: "600s", lockout_counter_reset_duration: "20m" };

/** What a mount's plugin, its requests and its logins are set to: enabled with it, tuned, reset. */
export const sysMountSettings = defineScenario({
  topic: "sys-mount-settings",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19"],
  steps: [
    {
      title: "enable an engine with all of it",
      request: "POST sys/mounts/cloud",
      body: { type: "aws", config: { ...settings, ...names } },
      outcome: "ok",
    },
    // @covers beyond: Mounts > trim_request_trailing_slashes
    // @covers beyond: Mounts > identity_token_key
    // @covers beyond: Mounts > allowed_managed_keys
    // @covers beyond: Mounts > delegated_auth_accessors
    {
      title: "read the engine",
      request: "GET sys/mounts/cloud",
      outcome: {
        found: { config: { trim_request_trailing_slashes: true, identity_token_key: "default", ...names } },
      },
    },
    {
      title: "read the engine's tuning, which lacks the accessors",
      request: "GET sys/mounts/cloud/tune",
      outcome: "ok",
    },
    {
      title: "write to a path of it that ends in a slash",
      request: "POST cloud/roles/a/",
      body: { credential_type: "iam_user", policy_arns: "arn:aws:iam::aws:policy/ReadOnlyAccess" },
      outcome: "ok",
    },
    { title: "read what was written", request: "GET cloud/roles/a", outcome: "ok" },
    {
      title: "tune the engine back",
      request: "POST sys/mounts/cloud/tune",
      body: {
        trim_request_trailing_slashes: false,
        identity_token_key: "",
        allowed_managed_keys: [],
        delegated_auth_accessors: [],
      },
      outcome: "ok",
    },
    { title: "read the engine after that", request: "GET sys/mounts/cloud", outcome: "ok" },
    {
      title: "write to a path that ends in a slash no more",
      request: "POST cloud/roles/a/",
      body: { credential_type: "iam_user" },
      outcome: refused(/cannot write to a path ending in '\/'/),
    },
    {
      title: "enable a method with all of it, of which it takes no accessors",
      request: "POST sys/auth/jobs",
      body: { type: "approle", config: { ...settings, ...names } },
      outcome: "ok",
    },
    { title: "read the method", request: "GET sys/auth/jobs", outcome: "ok" },
    {
      title: "tune the method, which changes no names",
      request: "POST sys/auth/jobs/tune",
      body: { allowed_managed_keys: ["c"], delegated_auth_accessors: ["auth_z"], identity_token_key: "" },
      outcome: "ok",
    },
    { title: "read the method after that", request: "GET sys/auth/jobs", outcome: "ok" },
    // @covers beyond: Mounts > identity_token_key
    {
      title: "enable with a key that is not there",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { identity_token_key: "none" } },
      outcome: refused(/key "none" does not exist/),
    },
    {
      title: "tune a key that is not there",
      request: "POST sys/auth/jobs/tune",
      body: { identity_token_key: "none" },
      outcome: refused(/key "none" does not exist/),
    },
    {
      title: "enable with a switch that is a text",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { trim_request_trailing_slashes: "true" } },
      outcome: refused(/unable to convert given mount config information/),
    },
    // @covers beyond: Mounts > plugin_version
    {
      title: "enable with a version of a built-in plugin that is not its own",
      request: "POST sys/mounts/a",
      body: { type: "aws", config: { plugin_version: "v9.9.9" } },
      outcome: refused(/cannot select non-builtin version of secrets plugin aws/),
    },
    {
      title: "enable with a version that is none",
      request: "POST sys/auth/a",
      body: { type: "jwt", config: { plugin_version: "newest" } },
      outcome: refused(/version "newest" is not a valid semantic version/),
    },
    {
      title: "tune a version that is not in the catalog",
      request: "POST sys/auth/jobs/tune",
      body: { plugin_version: "9.9.9" },
      outcome: refused(/plugin not found in the catalog: approle, version=v9\.9\.9/),
    },
    // @covers beyond: Mounts > plugin_version
    {
      title: "tune the version back, which cannot be",
      request: "POST sys/auth/jobs/tune",
      body: { plugin_version: "" },
      outcome: refused(/version "" is not a valid semantic version/),
    },
    // @covers beyond: Mounts > user_lockout_config
    {
      title: "enable with a lockout, which is ignored",
      request: "POST sys/auth/locked",
      body: { type: "approle", config: { user_lockout_config: { lockout_disable: true } } },
      outcome: "ok",
    },
    { title: "read the method without a lockout", request: "GET sys/auth/locked", outcome: "ok" },
    {
      title: "enable with a lockout in texts",
      request: "POST sys/auth/a",
      body: { type: "approle", config: { user_lockout_config: lockout } },
      outcome: refused(/unable to convert given auth config information/),
    },
    {
      title: "tune a lockout",
      request: "POST sys/auth/locked/tune",
      body: { user_lockout_config: lockout },
      outcome: "ok",
    },
    // @covers beyond: Mounts > user_lockout_config
    {
      title: "read the lockout, in other words",
      request: "GET sys/auth/locked",
      outcome: {
        found: {
          config: {
            user_lockout_config: {
              user_lockout_threshold: 7,
              user_lockout_duration: 600,
              user_lockout_counter_reset_duration: 1200,
              user_lockout_disable: false,
            },
          },
        },
      },
    },
    { title: "read the tuning with the lockout", request: "GET sys/auth/locked/tune", outcome: "ok" },
    {
      title: "tune one setting of the lockout, by a number",
      request: "POST sys/auth/locked/tune",
      body: { user_lockout_config: { lockout_threshold: 9, lockout_duration: 60, lockout_disable: true } },
      outcome: "ok",
    },
    { title: "read the lockout with another setting", request: "GET sys/auth/locked", outcome: "ok" },
    {
      title: "tune the lockout back, which leaves zeros",
      request: "POST sys/auth/locked/tune",
      body: {
        user_lockout_config: {
          lockout_threshold: "0",
          lockout_duration: "0s",
          lockout_counter_reset_duration: "system",
          lockout_disable: false,
        },
      },
      outcome: "ok",
    },
    { title: "read the lockout that is none", request: "GET sys/auth/locked", outcome: "ok" },
    {
      title: "tune an empty lockout",
      request: "POST sys/auth/locked/tune",
      body: { user_lockout_config: {} },
      outcome: "ok",
    },
    {
      title: "tune the lockout of a type that has none",
      request: "POST sys/mounts/cloud/tune",
      body: { user_lockout_config: { lockout_disable: true } },
      outcome: refused(/tuning of user lockout configuration for auth type "aws" not allowed/),
    },
    {
      title: "tune a threshold that is no number",
      request: "POST sys/auth/locked/tune",
      body: { user_lockout_config: { lockout_threshold: "many" } },
      outcome: refused(/unable to parse user lockout threshold/),
    },
    {
      title: "tune a duration that is none",
      request: "POST sys/auth/locked/tune",
      body: { user_lockout_config: { lockout_duration: "long" } },
      outcome: refused(/invalid duration/),
    },
    {
      title: "tune a switch that is a text",
      request: "POST sys/auth/locked/tune",
      body: { user_lockout_config: { lockout_disable: "true" } },
      outcome: refused(/unable to convert given user lockout config information/),
    },
  ],
});
