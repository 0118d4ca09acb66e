import { describe } from "vitest";
import { tellAdoption } from "../support/adopt-suite.ts";
import { startWithConsul, startWithVault } from "../support/contract-servers-live.ts";
import { vaultReleases } from "../support/vault-releases.ts";

/** The policy API has no server to build: its part runs on the embedded one. */
describe.each(vaultReleases)("on Vault %s and Consul", (version) =>
  tellAdoption(async () => {
    const [vault, consul] = await Promise.all([startWithVault(version), startWithConsul()]);
    const close = async () => void (await Promise.all([vault.close(), consul.close()]));
    return { ...vault, cluster: consul.cluster, close };
  }),
);
