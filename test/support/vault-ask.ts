/** A Vault, real or embedded, and its root token. */
export interface AskingVault {
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

interface VaultAnswer {
  readonly status: number;
  readonly errors: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly auth?: Readonly<Record<string, unknown>> | null;
  readonly warnings?: readonly string[] | null;
}

interface Asking {
  readonly body?: object | undefined;
  /** A token; the root token by default. */
  readonly as?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks `METHOD path`, the path without `/v1/`. */
export type VaultAsk = (line: string, asking?: Asking) => Promise<VaultAnswer>;

export function asker({ address, token }: Pick<AskingVault, "address" | "token">): VaultAsk {
  return async (line, { body, as = token, headers = {} } = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await fetch(`${address}/v1/${path}`, {
      method,
      headers: { "x-vault-token": as, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    const { errors = [], ...members } = text === "" ? {} : JSON.parse(text);
    return { ...members, status: answer.status, errors: errors.join() };
  };
}
