import { type LiveVaultVersion, liveVaultReleases } from "../../tools/live/live-servers.mts";
import { testExtent } from "./test-extent.mts";

/** The Vaults that the live run asks: the newest, and in a whole run all that are built. */
export const vaultReleases: readonly LiveVaultVersion[] =
  testExtent === "whole" ? (Object.keys(liveVaultReleases) as LiveVaultVersion[]) : ["1.21"];
