import type { Service } from "../../../provider/core/connection-entry";
import { parseJson } from "../../../provider/core/parse-json";
import { isRecord } from "../../../provider/core/unknowns";
import { consul } from "../../../provider/dialects/consul";
import type { Answer } from "../../../provider/dialects/dialect";
import { vault } from "../../../provider/dialects/vault";

/** How a service is told from others without a token. */
interface Recognition {
  readonly product: string;
  /** Below the API's prefix; the first answer that shows the product counts. */
  readonly paths: readonly string[];
  isIt(answer: Answer): boolean;
}

export const RECOGNITION: Readonly<Record<Service, Recognition>> = {
  secrets: {
    product: "Vault or OpenBao",
    paths: vault.probes ?? [],
    isIt: ({ text }) => {
      const status = parseJson(text);
      return isRecord(status) && typeof status["sealed"] === "boolean" && typeof status["initialized"] === "boolean";
    },
  },
  cluster: {
    product: "Consul",
    paths: ["v1/status/leader", ...(consul.probes ?? [])],
    isIt: ({ status, text }) => {
      const json = parseJson(text);
      // The leader is a text, `host:port`, which is empty while there is none.
      return status === 200 && (typeof json === "string" || (isRecord(json) && "TrustDomain" in json));
    },
  },
  policy: {
    product: "HCP Terraform",
    paths: ["ping"],
    isIt: ({ status, headers }) =>
      status < 300 && ("tfp-api-version" in headers || "tfp-appname" in headers || "x-tfe-version" in headers),
  },
};
