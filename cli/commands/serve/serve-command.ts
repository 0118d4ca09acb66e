import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type FaultScript, faultScript } from "../../../server/faults/fault-script";
import type { ServerIdentity } from "../../../server/http/encryption";
import { createOwnCertificate } from "../../../server/http/own-certificate";
import type { ProfileName } from "../../../server/profiles/profiles";
import { type Running, startServers } from "../../../server/serve";
import type { Terminal } from "../../io/terminal";
import { replaceFile } from "../../io/write-report";

export interface ServeFlags {
  readonly profile?: ProfileName;
  readonly json?: boolean;
  readonly bind: string;
  readonly token?: string;
  readonly consulToken?: string;
  readonly tfeToken?: string;
  readonly mounts: boolean;
  /** The file for the authority of a certificate made at the start. */
  readonly tls?: string;
  readonly tlsCertFile?: string;
  readonly tlsKeyFile?: string;
  readonly secretsPort?: number;
  readonly clusterPort?: number;
  readonly policyPort?: number;
  readonly adminPort?: number;
  readonly data?: string;
  readonly datacenter?: string;
  readonly policySet?: string;
  readonly policyRateLimit?: number;
  readonly issuer?: boolean;
  readonly issuerPort?: number;
  readonly cloudUser: readonly string[];
  readonly fail: readonly string[];
}

/** Serves until the terminal ends it. Returns the exit code. */
export async function serve(flags: ServeFlags, terminal: Terminal): Promise<number> {
  // Listen first: a signal that arrives during the start must not be lost.
  const ended = terminal.ended();
  const faults = readFaults(flags.fail);
  if (typeof faults === "string") {
    terminal.err(`trustplane: ${faults}\n`);
    return 1;
  }
  const tls = readIdentity(flags);
  if (typeof tls === "string") {
    terminal.err(`trustplane: ${tls}\n`);
    return 1;
  }
  let server: Running;
  try {
    server = await startServers({
      ...(tls === undefined ? {} : { tls }),
      ...(flags.tls === undefined ? {} : { tlsServices: ["cluster", "policy"] }),
      tokens: { secrets: flags.token, cluster: flags.consulToken, policy: flags.tfeToken },
      mounts: flags.mounts,
      host: flags.bind,
      ports: portsOf(flags),
      ...(flags.data === undefined ? {} : { data: flags.data }),
      ...(flags.profile === undefined ? {} : { profile: flags.profile }),
      ...(flags.datacenter === undefined ? {} : { datacenter: flags.datacenter }),
      ...(flags.policySet === undefined ? {} : { policySet: flags.policySet }),
      policyRequestsPerSecond: flags.policyRateLimit,
      issuer: flags.issuer ?? false,
      cloudUsers: flags.cloudUser,
      environment: process.env,
      faults,
    });
  } catch (error) {
    terminal.err(`trustplane: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  terminal.out(flags.json ? jsonLine(server, flags) : readableText(server, flags));
  await ended;
  await server.close();
  return 0;
}

function readFaults(specs: readonly string[]): readonly FaultScript[] | string {
  const faults: FaultScript[] = [];
  for (const spec of specs) {
    const read = faultScript.safeParse(spec);
    if (!read.success) return read.error.issues.map(({ message }) => message).join("; ");
    faults.push(read.data);
  }
  return faults;
}

/** The certificate of the flags, or what is wrong with them. */
function readIdentity({ bind, tls, tlsCertFile, tlsKeyFile }: ServeFlags): ServerIdentity | string | undefined {
  if (tls !== undefined) {
    if (tlsCertFile !== undefined || tlsKeyFile !== undefined) return "--tls makes a certificate: give no other";
    return ownIdentity(tls, bind);
  }
  if (tlsCertFile === undefined && tlsKeyFile === undefined) return undefined;
  if (tlsCertFile === undefined) return "--tls-key-file needs --tls-cert-file";
  if (tlsKeyFile === undefined) return "--tls-cert-file needs --tls-key-file";
  try {
    const [certificate, key] = [readFileSync(tlsCertFile, "utf8"), readFileSync(tlsKeyFile, "utf8")];
    createSecureContext({ cert: certificate, key });
    return { certificate, key };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `cannot speak HTTPS with ${tlsCertFile} and ${tlsKeyFile}: ${reason}`;
  }
}

/** A certificate made now; its authority is in the file. */
function ownIdentity(file: string, bind: string): ServerIdentity | string {
  const { identity, authority } = createOwnCertificate(bind);
  try {
    replaceFile(file, authority, undefined);
    return identity;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `cannot write the certificate authority to ${file}: ${reason}`;
  }
}

function portsOf(flags: ServeFlags) {
  return {
    secrets: flags.secretsPort ?? 0,
    cluster: flags.clusterPort ?? 0,
    policy: flags.policyPort ?? 0,
    admin: flags.adminPort ?? 0,
    issuer: flags.issuerPort ?? 0,
  };
}

function jsonLine({ secrets, cluster, policy, admin, issuer }: Running, { tls: caFile }: ServeFlags): string {
  return `${JSON.stringify({ secrets, cluster, policy, admin, issuer, caFile })}\n`;
}

function readableText({ secrets, cluster, policy, admin, issuer }: Running, { data, tls, mounts }: ServeFlags): string {
  const provider =
    issuer === undefined
      ? ""
      : `export TRUSTPLANE_ISSUER=${issuer.address} TRUSTPLANE_CLIENT_ID=${issuer.clientId} TRUSTPLANE_CLIENT_SECRET=${issuer.clientSecret}
export TRUSTPLANE_ADMIN=${admin.address} TRUSTPLANE_ADMIN_TOKEN=${admin.token}
`;
  const where = data === undefined ? "in memory" : `with its data in ${data}`;
  const authority = tls === undefined ? "" : `export VAULT_CACERT=${tls} CONSUL_CACERT=${tls} SSL_CERT_FILE=${tls}\n`;
  const atFirst = data === undefined ? "auth/jwt/, cloud/" : "auth/jwt/, cloud/ at the first start";
  return `trustplane serves, ${where}, until Ctrl-C. For your shell:

export VAULT_ADDR=${secrets.address} VAULT_TOKEN=${secrets.token}
export CONSUL_HTTP_ADDR=${cluster.address} CONSUL_HTTP_TOKEN=${cluster.token}
export TFE_ADDRESS=${policy.address} TFE_TOKEN=${policy.token}
${authority}${provider}
policy set       ${policy.policySet}
mounted          ${mounts ? atFirst : "nothing by itself"}
admin interface  ${admin.address}, Authorization: Bearer ${admin.token}
                 (GET and DELETE /requests, GET /records, GET, POST and DELETE /faults, POST /seal and /unseal)
`;
}
