import type { RequestListener } from "node:http";
import type { ServiceName } from "./contract-raw.ts";

/** Where a service listens, with a token that may do everything. */
export interface ServiceAddress {
  readonly address: string;
  readonly token: string;
  /** Of a server in this process: answers what its proxy has accepted, which costs less than asking it over a socket. */
  readonly handle?: RequestListener;
}

/** The servers that a run of the suite works on. */
export interface ContractServers {
  readonly secrets: ServiceAddress;
  readonly cluster: ServiceAddress;
  /** Another cluster, to peer with. */
  readonly peer: ServiceAddress;
  readonly policy: ServiceAddress & { readonly policySet: string };
  /** A policy set that nobody else uses. */
  freshPolicySet(): string;
  /**
   * The record as the server keeps it, write-only values included where it can be looked into. `path` is the API's
   * own, without prefix; undefined when there is none.
   */
  stored(service: ServiceName, path: string): Promise<unknown>;
  /** Makes a user at the cloud that the secrets server talks to; answers the root credentials to configure. */
  cloudUser(name: string): Promise<CloudCredentials>;
  /** Endpoint at which that cloud says whose credentials a request is signed with. */
  readonly tokenService: string;
  close(): Promise<void>;
}

/** Credentials with which the secrets server finds its cloud. */
export interface CloudCredentials {
  readonly access_key: string;
  readonly secret_key: string;
  readonly [field: string]: unknown;
}
