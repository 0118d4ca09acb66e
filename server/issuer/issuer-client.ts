import { timingSafeEqual } from "node:crypto";
import type { Table } from "../data/tables";
import { isLoopbackHost } from "../http/loopback-host";

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

export interface ClientOptions {
  readonly secret: string;
  readonly kept: Table<ClientSettings>;
}

export function createIssuerClient({ secret, kept }: ClientOptions): IssuerClient {
  const settings = (): ClientSettings => kept.get(id) ?? { redirectUris: [], responseMode: "query" };
  return {
    id,
    secret,
    settings,
    change: (given) => void kept.set(id, { ...settings(), ...given }),
    allowsRedirect: (uri) => settings().redirectUris.includes(uri) || isLoopbackUri(uri),
    isSecret: (text) => {
      const [given, wanted] = [Buffer.from(text), Buffer.from(secret)];
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}

const id = "trustplane";

function isLoopbackUri(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.hash === "" && isLoopbackHost(url.hostname.replace(/^\[|\]$/g, ""));
}
