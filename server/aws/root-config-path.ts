import { definePath, type Path } from "../framework/backend";
import type { FieldData } from "../framework/field-data";
import { Refusal } from "../framework/refusal";
import type { EngineContext } from "./engine-context";
import { withGivenFields } from "./given-fields";
import {
  defaultUsernameTemplate,
  type RootConfig,
  readRootConfig,
  rootConfigFields,
  unsetRootConfig,
  writeRootConfig,
} from "./root-config";
import { assertRotationFields } from "./rotation-fields";

const mergedFields = Object.keys(rootConfigFields) as (keyof typeof rootConfigFields)[]; // Keys of a literal are its own names.

/** `config/root`. */
export function rootConfigPath({ storage, sts, profile }: Pick<EngineContext, "storage" | "sts" | "profile">): Path {
  const { rootConfigIsMerged, hasEnterpriseFunctions } = profile;
  return definePath({
    pattern: "config/root",
    fields: rootConfigFields,
    // Where a write replaces everything, it does not matter whether there was something.
    ...(rootConfigIsMerged ? { existenceCheck: () => readRootConfig(storage) !== undefined } : {}),
    operations: {
      read: () => {
        const config = readRootConfig(storage);
        if (config === undefined) return undefined;
        const { secret_key: _secret, ...shown } = config;
        return { data: shown };
      },
      update: ({ data }) => {
        const stored = rootConfigIsMerged ? readRootConfig(storage) : undefined;
        const merged = withGivenFields(stored ?? unsetRootConfig, data, mergedFields);
        // The template alone is never kept: a write that omits or empties it restores the default.
        const config = { ...merged, username_template: data.get("username_template") || defaultUsernameTemplate };
        assertConsistent(config, data);
        if (!hasEnterpriseFunctions) assertCommunity(config);
        writeRootConfig(storage, config);
        sts.forget();
        return undefined;
      },
    },
  });
}

/** The refusals of Vault, in its order; nothing is stored after one. */
function assertConsistent(config: RootConfig, data: FieldData<typeof rootConfigFields>): void {
  if (config.sts_fallback_endpoints.length !== config.sts_fallback_regions.length) {
    throw new Refusal("fallback endpoints and fallback regions must be the same length");
  }
  assertRotationFields({
    schedule: data.given("rotation_schedule"),
    windowSeconds: data.given("rotation_window"),
    periodSeconds: data.given("rotation_period"),
  });
  if (config.identity_token_audience !== "") {
    if (config.access_key !== "") {
      throw new Refusal("only one of 'access_key' or 'identity_token_audience' can be set");
    }
    if (config.role_arn === "") {
      throw new Refusal("missing required 'role_arn' when 'identity_token_audience' is set");
    }
  }
}

/** @throws Refusal for what Vault has in its Enterprise edition only */
export function assertCommunity(
  config: Pick<
    RootConfig,
    "identity_token_audience" | "rotation_schedule" | "rotation_period" | "disable_automated_rotation"
  >,
): void {
  if (config.identity_token_audience !== "") {
    throw new Refusal(
      "failed to generate plugin identity token: plugin workload identity not supported in Vault community edition",
    );
  }
  const isRotated = config.rotation_schedule !== "" || config.rotation_period !== 0;
  if (isRotated && !config.disable_automated_rotation) {
    throw new Refusal(
      "error registering rotation job: error registering rotation job: rotation manager capabilities not supported in Vault community edition",
    );
  }
}
