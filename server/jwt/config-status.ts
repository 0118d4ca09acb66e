import type { JwtProfile } from "../profiles/secrets-profile";
import { TokenFailure } from "./compact-jws";
import type { ConfigRecord } from "./config-record";
import { createValidator } from "./validator";

/** Whether the keys of a configuration can be fetched: it may have been stored without that check. */
export async function configStatus(
  config: ConfigRecord,
  profile: JwtProfile,
): Promise<{ status: "valid" | "invalid"; warnings: readonly string[] }> {
  try {
    if (config.oidc_client_id === "") await createValidator(config, profile);
    return { status: "valid", warnings: [] };
  } catch (failure) {
    if (!(failure instanceof TokenFailure)) throw failure;
    return { status: "invalid", warnings: [`failed to construct JWK validator: ${failure.message}`] };
  }
}
