import { definePath, type Path } from "../framework/backend";
import type { Storage } from "../framework/storage";
import { checkConfig } from "./check-config";
import { type ConfigRecord, configFields, configFrom, shownConfig } from "./config-record";

/** `config`: a write replaces the whole record, nothing deletes it (reference 2.1, 2.2). */
export function configPath(storage: Storage): Path {
  return definePath({
    pattern: "config",
    fields: configFields,
    operations: {
      read: () => {
        const config = storage.get<ConfigRecord>("config");
        return config === undefined ? undefined : { data: shownConfig(config) };
      },
      update: async ({ data }) => {
        const config = configFrom(data, storage.get<ConfigRecord>("config"));
        await checkConfig(config);
        storage.put("config", config);
        return undefined;
      },
    },
  });
}
