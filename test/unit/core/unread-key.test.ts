import { expect, it } from "vitest";
import { unreadKey } from "../../../provider/core/unread-key.ts";

it.each([
  ["secrets", undefined],
  ["issuer", undefined],
  ["issuer.url", undefined],
  ["secret", "the configuration trustplane:secret is not read; did you mean secrets?"],
  ["takeover", "the configuration trustplane:takeover is not read; did you mean takeOver?"],
  [
    "secrets.address",
    "the configuration trustplane:secrets.address is not read: a field of trustplane:secrets is set by `pulumi config set --plaintext --path trustplane:secrets.address …`",
  ],
  [
    "secret.address",
    "the configuration trustplane:secret.address is not read: a field of trustplane:secrets is set by `pulumi config set --plaintext --path trustplane:secrets.address …`",
  ],
])("of the key %s of the stack's configuration is said what reads it", (key, line) => {
  expect(unreadKey(key)).toBe(line);
});
