import { definePath, type Path } from "../framework/backend";
import { Failure, Refusal } from "../framework/refusal";
import type { EngineContext } from "./engine-context";
import { failingAs } from "./failing-as";
import { readRootConfig, writeRootConfig } from "./root-config";
import { rootCredentials } from "./root-credentials";

/** `config/rotate-root`: a new key for the root user, then the old one is deleted. */
export function rotateRootPath(context: EngineContext): Path {
  const { storage, identity, sts, profile } = context;
  return definePath({
    pattern: "config/rotate-root",
    fields: {},
    operations: {
      update: () => {
        const old = failingAs("", () => rootCredentials(context));
        const config = readRootConfig(storage);
        if (config === undefined) throw new Failure("no configuration found for config/root");
        if (profile.rotationNeedsEndpoint && config.region !== "" && config.iam_endpoint === "") {
          throw new Failure("number of regions does not match number of endpoints");
        }
        // The engine rotates only credentials of its own configuration.
        if (old === undefined || old.accessKeyId !== config.access_key) {
          throw new Refusal("Cannot call config/rotate-root when either access_key or secret_key is empty");
        }
        const user = failingAs("error calling GetUser: ", () => identity.getUser(old));
        const key = failingAs("error calling CreateAccessKey: ", () => identity.createAccessKey(old, user.name));
        writeRootConfig(storage, { ...config, access_key: key.accessKeyId, secret_key: key.secretKey });
        sts.forget();
        failingAs("error deleting old access key: ", () =>
          identity.deleteAccessKey(old, { userName: user.name, accessKeyId: old.accessKeyId }),
        );
        return { data: { access_key: key.accessKeyId } };
      },
    },
  });
}
