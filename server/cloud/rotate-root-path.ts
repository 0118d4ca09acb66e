import { type BackendOptions, definePath, type Path } from "../framework/backend";
import { Failure, Refusal } from "../framework/refusal";
import type { CloudIdentity } from "./cloud-identity";
import { failingAs } from "./failing-as";
import { readRootConfig, writeRootConfig } from "./root-config";
import { rootCredentials } from "./root-credentials";

/** `config/rotate-root`: a new key for the root user, then the old one is deleted (reference 4.2). */
export function rotateRootPath({
  storage,
  identity,
}: Pick<BackendOptions, "storage"> & { identity: CloudIdentity }): Path {
  return definePath({
    pattern: "config/rotate-root",
    fields: {},
    operations: {
      update: () => {
        const config = readRootConfig(storage);
        if (config === undefined) throw new Failure("no configuration found for config/root");
        const old = failingAs("", () => rootCredentials(storage));
        if (old === undefined) {
          throw new Refusal("Cannot call config/rotate-root when either access_key or secret_key is empty");
        }
        const user = failingAs("error calling GetUser: ", () => identity.getUser(old));
        const key = failingAs("error calling CreateAccessKey: ", () => identity.createAccessKey(old, user.name));
        writeRootConfig(storage, { ...config, access_key: key.accessKeyId, secret_key: key.secretKey });
        failingAs("error deleting old access key: ", () =>
          identity.deleteAccessKey(old, { userName: user.name, accessKeyId: old.accessKeyId }),
        );
        return { data: { access_key: key.accessKeyId } };
      },
    },
  });
}
