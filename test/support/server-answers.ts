import { SocketAddress } from "node:net";
import type { Definition, Values } from "../../provider/core/definition";

const USERNAME_TEMPLATE =
  '{{ if (eq .Type "STS") }}{{ printf "vault-%s-%s"  (unix_time) (random 20) | truncate 32 }}{{ else }}{{ printf "vault-%s-%s-%s" (printf "%s-%s" (.DisplayName) (.PolicyName) | truncate 42) (unix_time) (random 20) | truncate 64 }}{{ end }}';

/** What the servers do to a member between a write and a read. */
const STORED: Readonly<Record<string, (value: never) => unknown>> = {
  // JWT configuration and roles.
  default_role: (name: string) => name.toLowerCase(),
  jwt_validation_pubkeys: (keys: string[]) => keys.map((key) => key.trim()),
  token_bound_cidrs: (blocks: string[]) => blocks.map(printedBlock),
  token_type: (word: string) => word || "default",
  provider_config: ({ gsuite_service_account: _, api_token: __, ...shown }: Values) => shown,
  // Cloud engine.
  policy_document: (text: string) => (text === "" ? "" : JSON.stringify(JSON.parse(text))),
  lease: goDuration,
  lease_max: goDuration,
  username_template: (text: string) => text || USERNAME_TEMPLATE,
  // Mounts.
  default_lease_ttl: (text: string) => (text === "system" ? 0 : secondsOf(text)),
  max_lease_ttl: (text: string) => (text === "system" ? 0 : secondsOf(text)),
};

/** What no server ever answers. */
const HIDDEN = ["oidc_client_secret", "secret_key", "skip_jwks_validation", "PeeringToken", "ServerExternalAddresses"];

/** The record that a server would answer after a write with this body; `empty` is what a list or map that was never set reads as. */
export function answerAfter(definition: Definition, body: Values, empty: "null" | "as sent"): Values {
  const shown = Object.entries(body).filter(([wire]) => !HIDDEN.includes(wire));
  const record = Object.fromEntries(shown.map(([wire, value]) => [wire, stored(wire, value, empty)]));
  if (definition.dialect === "vault") return record;
  if (definition.dialect === "tfe")
    return { ...record, value: body["sensitive"] === true ? null : body["value"], id: "var-1" };
  // Consul leaves out what is empty.
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== "" && JSON.stringify(value) !== "{}"),
  );
}

function stored(wire: string, value: unknown, empty: "null" | "as sent"): unknown {
  const isBare = Array.isArray(value) ? value.length === 0 : JSON.stringify(value) === "{}";
  if (isBare && empty === "null") return null;
  // The table's functions know the type of their member, which is the type of its row.
  return (STORED[wire] ?? ((same: unknown) => same))(value as never);
}

function printedBlock(text: string): string {
  if (/^[\d.]+:\d+$/.test(text)) return text;
  const [address = "", mask] = text.trim().split("/");
  const family = address.includes(":") ? "ipv6" : "ipv4";
  const printed = new SocketAddress({ address, family }).address;
  return mask === undefined || mask === (family === "ipv6" ? "128" : "32") ? printed : `${printed}/${Number(mask)}`;
}

/** `3600` and `1h` are answered as `1h0m0s`. */
function goDuration(text: string): string {
  const seconds = secondsOf(text);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}

function secondsOf(text: string): number {
  const [, h = 0, m = 0, s = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return Number(h) * 3600 + Number(m) * 60 + Number(s);
}
