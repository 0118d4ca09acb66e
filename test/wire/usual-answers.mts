import type { Answer } from "./exchange.mts";

const json = { "content-type": "application/json" };
const denied = { "x-consul-default-acl-policy": "deny" };

/** What every answer of a server repeats, stated once: recordings name it (`"like"`) and add what is their own. */
export const usualAnswers: readonly Answer[] = [
  {
    title: "Vault's answer",
    status: 200,
    headers: json,
    body: {
      auth: null,
      data: null,
      lease_duration: 0,
      lease_id: "",
      mount_type: "",
      renewable: false,
      request_id: "<request-id>",
      warnings: null,
      wrap_info: null,
    },
  },
  { title: "Vault's empty answer", status: 204, headers: json, body: "" },
  { title: "Vault's error", status: 400, headers: json, body: {} },
  { title: "Consul's answer", status: 200, headers: { ...json, ...denied }, body: {} },
  {
    title: "Consul's error",
    status: 500,
    headers: { "content-type": "text/plain; charset=utf-8", ...denied },
    body: "",
  },
];
