import { describe, expect, it } from "vitest";
import { mountWrites } from "../../../provider/resources/sys/mount.ts";

// Vault locks its identity store for a key that is named, also for none.
describe("the identity token key of a mount that is tuned", () => {
  const { layout } = mountWrites("sys/auth/jobs").update;
  const sent = (key: string | undefined, live: object) => layout?.({ identity_token_key: key }, { ...live });

  it("is not named when neither the program nor the mount has one, or the server knows none", () => {
    expect(sent("", {})).not.toHaveProperty("identity_token_key");
    expect(sent(undefined, {})).not.toHaveProperty("identity_token_key");
  });

  it("is that of the program, and none in place of one that the program has no more", () => {
    expect(sent("b", {})).toMatchObject({ identity_token_key: "b" });
    expect(sent("", { identityTokenKey: "a" })).toMatchObject({ identity_token_key: "" });
  });
});
