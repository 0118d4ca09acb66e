import type { Fields } from "../framework/field-type";
import type { Storage } from "../framework/storage";

/** The stored root configuration, named as on the wire. */
export interface RootConfig {
  readonly access_key: string;
  readonly secret_key: string;
  readonly region: string;
  readonly iam_endpoint: string;
  readonly sts_endpoint: string;
  readonly sts_region: string;
  readonly sts_fallback_endpoints: readonly string[];
  readonly sts_fallback_regions: readonly string[];
  readonly max_retries: number;
  readonly username_template: string;
  readonly role_arn: string;
  readonly identity_token_audience: string;
  readonly identity_token_ttl: number;
  readonly rotation_schedule: string;
  readonly rotation_window: number;
  readonly rotation_period: number;
  readonly disable_automated_rotation: boolean;
}

export const rootConfigFields = {
  access_key: "string",
  secret_key: "string",
  region: "string",
  iam_endpoint: "string",
  sts_endpoint: "string",
  sts_region: "string",
  sts_fallback_endpoints: "commaStringSlice",
  sts_fallback_regions: "commaStringSlice",
  max_retries: { type: "int", default: -1 },
  username_template: "string",
  role_arn: "string",
  identity_token_audience: "string",
  identity_token_ttl: "durationSecond",
  rotation_schedule: "string",
  rotation_window: "durationSecond",
  rotation_period: "durationSecond",
  disable_automated_rotation: "bool",
} as const satisfies Fields & Record<keyof RootConfig, unknown>;

/** The two blanks before the first `(unix_time)` are part of the wire value. */
export const defaultUsernameTemplate =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

export const unsetRootConfig: RootConfig = {
  access_key: "",
  secret_key: "",
  region: "",
  iam_endpoint: "",
  sts_endpoint: "",
  sts_region: "",
  sts_fallback_endpoints: [],
  sts_fallback_regions: [],
  max_retries: -1,
  username_template: defaultUsernameTemplate,
  role_arn: "",
  identity_token_audience: "",
  identity_token_ttl: 0,
  rotation_schedule: "",
  rotation_window: 0,
  rotation_period: 0,
  disable_automated_rotation: false,
};

const storagePath = "config/root";

export function readRootConfig(storage: Storage): RootConfig | undefined {
  return storage.get<RootConfig>(storagePath);
}

export function writeRootConfig(storage: Storage, config: RootConfig): void {
  storage.put(storagePath, config);
}
