import { defineResource } from "../../core/definition";
import { required } from "../../core/field";
import { local, path, string, stringMap } from "../../core/rows";
import { inAwsMount } from "./in-aws-mount";

const fields = {
  /** Path where the secrets engine is mounted. @source vault/aws */
  mount: path("cloud"),
  /** Any values. When one of them changes, the root key is rotated again. */
  triggers: local(stringMap("")),
};

const outputs = {
  /** Access key ID that the server uses now. Only the server knows the secret key. @source vault/aws rotate-root */
  accessKey: required(string("access_key")),
};

const rotate = { method: "POST", path: "{mount}/config/rotate-root", sends: "nothing", mints: true } as const;

export const cloudRootRotation = defineResource({
  token: "cloud:RootRotation",
  dialect: "vault",
  fields,
  outputs,
  id: "{mount}/config/rotate-root",
  label: "mount",
  identity: ["mount"],
  mounted: inAwsMount,
  create: rotate,
  update: rotate,
  read: { path: "{mount}/config/root" },
  delete: "forget",
  adopt: { beside: { token: "cloud:RootConfig", id: "{mount}/config/root" } },
});
