import { timingSafeEqual } from "node:crypto";
import { isLoopbackHost } from "../http/loopback-host";
import { randomName } from "../secrets/token-store";

export const responseModes = ["query", "form_post"] as const;
export type ResponseMode = (typeof responseModes)[number];

/** The one client of the issuer. */
export interface IssuerClient {
  readonly id: string;
  readonly secret: string;
  settings(): ClientSettings;
  change(settings: Partial<ClientSettings>): void;
  /** Whether the browser may be sent there: a registered URI, or one of this machine. */
  allowsRedirect(uri: string): boolean;
  isSecret(text: string): boolean;
}

export interface ClientSettings {
  /** Of other machines; those of this one need not be registered. */
  readonly redirectUris: readonly string[];
  /** How a code comes back when the request does not say it. */
  readonly responseMode: ResponseMode;
}

export function createIssuerClient(): IssuerClient {
  const secret = randomName(40);
  let settings: ClientSettings = { redirectUris: [], responseMode: "query" };
  return {
    id: "trustplane",
    secret,
    settings: () => settings,
    change: (given) => {
      settings = { ...settings, ...given };
    },
    allowsRedirect: (uri) => settings.redirectUris.includes(uri) || isLoopbackUri(uri),
    isSecret: (text) => {
      const [given, wanted] = [Buffer.from(text), Buffer.from(secret)];
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}

function isLoopbackUri(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.hash === "" && isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ""));
}
