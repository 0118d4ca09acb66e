import { withGivenFields } from "../aws/given-fields";
import { assertCommunity } from "../aws/root-config-path";
import { assertRotationFields } from "../aws/rotation-fields";
import { definePath, type Path } from "../framework/backend";
import type { Fields } from "../framework/field-type";
import { canonicalHeader } from "../framework/header-field";
import { Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import type { AwsProfile } from "../profiles/secrets-profile";

/** How the method asks the cloud, and what it demands of logins; named as on the wire. */
export interface ClientConfig {
  readonly access_key: string;
  readonly secret_key: string;
  readonly endpoint: string;
  readonly iam_endpoint: string;
  readonly sts_endpoint: string;
  readonly sts_region: string;
  readonly use_sts_region_from_client: boolean;
  readonly iam_server_id_header_value: string;
  /** `null` was never sent. */
  readonly allowed_sts_header_values: readonly string[] | null;
  readonly max_retries: number;
  readonly role_arn: string;
  readonly identity_token_audience: string;
  readonly identity_token_ttl: number;
  readonly rotation_schedule: string;
  readonly rotation_window: number;
  readonly rotation_period: number;
  readonly disable_automated_rotation: boolean;
}

const fields = {
  access_key: "string",
  secret_key: "string",
  endpoint: "string",
  iam_endpoint: "string",
  sts_endpoint: "string",
  sts_region: "string",
  use_sts_region_from_client: "bool",
  iam_server_id_header_value: "string",
  allowed_sts_header_values: "commaStringSlice",
  max_retries: { type: "int", default: -1 },
  role_arn: "string",
  identity_token_audience: "string",
  identity_token_ttl: "durationSecond",
  rotation_schedule: "string",
  rotation_window: "durationSecond",
  rotation_period: "durationSecond",
  disable_automated_rotation: "bool",
} as const satisfies Fields & Record<keyof ClientConfig, unknown>;

const unset: ClientConfig = {
  access_key: "",
  secret_key: "",
  endpoint: "",
  iam_endpoint: "",
  sts_endpoint: "",
  sts_region: "",
  use_sts_region_from_client: false,
  iam_server_id_header_value: "",
  allowed_sts_header_values: null,
  max_retries: -1,
  role_arn: "",
  identity_token_audience: "",
  identity_token_ttl: 0,
  rotation_schedule: "",
  rotation_window: 0,
  rotation_period: 0,
  disable_automated_rotation: false,
};

export function readClientConfig(storage: Storage): ClientConfig | undefined {
  return storage.get<ClientConfig>("config/client");
}

/** `config/client`. */
export function clientConfigPath(storage: Storage, { hasEnterpriseFunctions }: AwsProfile): Path {
  return definePath({
    pattern: "config/client",
    fields,
    existenceCheck: () => readClientConfig(storage) !== undefined,
    operations: {
      read: () => {
        const { secret_key: _secret, ...shown } = readClientConfig(storage) ?? {};
        return "access_key" in shown ? { data: shown } : undefined;
      },
      update: ({ data }) => {
        // Keys of a literal are its own names.
        const names = Object.keys(fields) as (keyof typeof fields)[];
        const merged = withGivenFields(readClientConfig(storage) ?? unset, data, names);
        const headers = merged.allowed_sts_header_values?.map(canonicalHeader) ?? null;
        const config = { ...merged, allowed_sts_header_values: headers };
        assertRotationFields({
          schedule: data.given("rotation_schedule"),
          windowSeconds: data.given("rotation_window"),
          periodSeconds: data.given("rotation_period"),
        });
        assertFederation(config);
        if (!hasEnterpriseFunctions) assertCommunity(config);
        storage.put("config/client", config);
        return undefined;
      },
      delete: () => {
        storage.delete("config/client");
        return undefined;
      },
    },
  });
}

/** @throws Refusal */
function assertFederation({ identity_token_audience: audience, access_key, role_arn }: ClientConfig): void {
  if (audience === "") return;
  if (access_key !== "") throw new Refusal("only one of 'access_key' or 'identity_token_audience' can be set");
  if (role_arn === "") throw new Refusal("role_arn must be set when identity_token_audience is set");
}
