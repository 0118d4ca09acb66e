import type { Storage } from "../framework/storage";
import type { AccessKey } from "./cloud-identity";
import { readRootConfig } from "./root-config";

/**
 * The key that calls to the cloud are made with; `undefined` when none is configured and the SDK would look elsewhere.
 * @throws Error when only half of it is there.
 */
export function rootCredentials(storage: Storage): AccessKey | undefined {
  const { access_key: accessKeyId = "", secret_key: secretKey = "" } = readRootConfig(storage) ?? {};
  if (accessKeyId !== "" && secretKey !== "") return { accessKeyId, secretKey };
  if (accessKeyId === "" && secretKey === "") return undefined;
  throw new Error(
    "static AWS client credentials haven't been properly configured (the access key or secret key were provided but not both)",
  );
}
