import { Agent, request } from "undici";
import { der, derObjectId, derSequence, derTag } from "../../server/cluster/der";
import { createIdentity, type Identity } from "./certificates";

/** A Vault that speaks TLS. */
export interface TlsVault {
  readonly address: string;
  /** In PEM. */
  readonly ca: string;
  readonly token: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly errors: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly auth?: Readonly<Record<string, unknown>> & { readonly client_token: string };
}

export interface Asking {
  readonly as?: string;
  /** What the client shows: its own certificate first. */
  readonly shows?: readonly Identity[] | undefined;
}

export const company = createIdentity("Company CA", { isAuthority: true });
export const other = createIdentity("Other CA", { isAuthority: true });
export const issued = (name: string, options: object = {}) => createIdentity(name, { issuer: company, ...options });
const text = (value: string) => der(derTag.utf8String, Buffer.from(value));
const named = (tag: number, name: string) => der(0x80 | tag, Buffer.from(name));

/** With all that a role can ask for. */
export const rich = issued("runner-7.example.com", {
  organization: "Acme",
  extensions: {
    "2.5.29.14": der(derTag.octetString, Buffer.from("a1b2c3", "hex")),
    "2.5.29.17": derSequence(
      named(2, "runner.example.com"),
      named(1, "ci@example.com"),
      named(6, "spiffe://example.com/ci"),
    ),
    "2.5.29.35": derSequence(der(0x80, Buffer.from("0d0e", "hex"))),
    "1.2.3.45678": text("blue"),
    "1.2.3.5": der(0x02, Buffer.from([7])),
  },
});

/** A certificate that is no client's. */
export const forServers = issued("server", {
  extensions: { "2.5.29.37": derSequence(derObjectId("1.3.6.1.5.5.7.3.1")) },
});

/** What a Vault answers to a client that may show certificates. */
export async function askOverTls(
  { address, ca, token }: TlsVault,
  line: string,
  { body, as = token, shows }: Asking & { readonly body?: object | undefined },
): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const chain = shows?.map(({ certificate }) => certificate).join("");
  const [own] = shows ?? [];
  const dispatcher = new Agent({ connect: { ca, ...(own ? { cert: chain, key: own.key } : {}) } });
  const answer = await request(`${address}/v1/${path}`, {
    // LIST is a verb of Vault's own.
    method: method as "GET",
    headers: { "x-vault-token": as },
    body: body === undefined ? null : JSON.stringify(body),
    dispatcher,
  });
  const read = await answer.body.text();
  await dispatcher.close();
  const { errors = [], ...members } = read === "" ? {} : JSON.parse(read);
  return { ...members, status: answer.statusCode, errors: errors.join() };
}
