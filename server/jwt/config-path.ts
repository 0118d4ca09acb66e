import { definePath, type Path } from "../framework/backend";
import type { Storage } from "../framework/storage";
import type { JwtProfile } from "../profiles/secrets-profile";
import { checkConfig } from "./check-config";
import { type ConfigRecord, configFields, configFrom, shownConfig } from "./config-record";
import { configStatus } from "./config-status";

/** `config`: a write replaces the whole record, nothing deletes it. */
export function configPath(storage: Storage, profile: JwtProfile): Path {
  return definePath({
    pattern: "config",
    fields: configFields,
    operations: {
      read: async () => {
        const config = storage.get<ConfigRecord>("config");
        if (config === undefined) return undefined;
        const { status, warnings } = profile.tellsStatus ? await configStatus(config, profile) : {};
        return { data: { ...shownConfig(config), ...(status && { status }) }, warnings: warnings ?? [] };
      },
      update: async ({ data }) => {
        const config = configFrom(data, storage.get<ConfigRecord>("config"));
        const skipsKeys = data.get("skip_jwks_validation");
        const warnings = await checkConfig(config, { profile, skipsKeys });
        storage.put("config", config);
        return warnings.length > 0 ? { warnings } : undefined;
      },
    },
  });
}
