import { startServers } from "../../server/serve";
import { describeMountSettings } from "../support/mount-settings-suite";
import { describePolicies } from "../support/policy-suite";
import { describeTokens } from "../support/token-suite";

const open = async (profile: "vault" | "vault-1.19") => {
  const { secrets, close } = await startServers({ profile });
  return { ...secrets, close };
};
describePolicies("the embedded server", { isCurrent: true }, () => open("vault"));
describePolicies("the embedded server as Vault 1.19", { isCurrent: false }, () => open("vault-1.19"));
describeTokens("the embedded server", () => open("vault"));
describeMountSettings("the embedded server", () => open("vault"));
