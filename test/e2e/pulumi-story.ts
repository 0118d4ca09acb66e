import { type Running, startServers } from "../../server/serve.ts";
import {
  createPulumiSandbox,
  type PulumiResult,
  type PulumiSandbox,
  type RunOptions,
} from "../support/pulumi-sandbox.ts";

/** What a story begins with. */
export interface StoryOptions {
  /** A folder, the text of a CommonJS program, or all its files by path. */
  readonly program: string | { readonly source: string } | { readonly files: Readonly<Record<string, string>> };
  /** Stack configuration that needs addresses of the servers. */
  readonly config?: (servers: Servers) => Readonly<Record<string, string | { readonly secret: string }>>;
  /** Added to, or in place of, the variables that name the servers and their tokens. */
  readonly env?: (servers: Servers) => Readonly<Record<string, string>>;
}

/** Two embedded servers: `ours`, found through the environment, and `partner` for a second connection. */
export interface Servers {
  readonly ours: Running;
  readonly partner: Running;
}

/** What one call of the CLI printed, and how it ended. */
export interface Told extends PulumiResult {
  /** stdout and stderr. */
  readonly text: string;
}

/** One stack of one program on servers of its own, told call by call: each call of the CLI takes seconds. */
export interface Story extends Servers {
  readonly sandbox: PulumiSandbox;
  /** `pulumi("up --yes")`. Throws, with what was printed, when the exit code is another one than `code`, 0 unless given. */
  pulumi(command: string, options?: RunOptions & { readonly code?: number }): Promise<Told>;
  /** Replaces the program. */
  rewrite(source: string): void;
  /** Ends the servers and removes the stack: `beforeAll` may answer this, `onTestFinished` takes it. */
  readonly close: () => Promise<void>;
  /** The requests to `ours` since the last call of this function, as `POST auth/jwt/role/ci`. */
  requests(): string[];
}

/** For the `beforeAll` that opens a story, on a machine that is busy with others. */
export const openingMs = 120_000;

/** Starts servers and prepares the stack. */
export async function openStory({ program, config, env }: StoryOptions): Promise<Story> {
  const [ours, partner] = [await startServers(), await startServers()];
  const servers = { ours, partner };
  const sandbox = await createPulumiSandbox({
    program: typeof program === "string" ? program : "files" in program ? program.files : programFiles(program.source),
    env: { ...environmentOf(servers.ours), ...env?.(servers) },
    config: config?.(servers) ?? {},
  });
  return {
    ...servers,
    sandbox,
    close: async () => {
      await sandbox.close();
      await Promise.all([ours.close(), partner.close()]);
    },
    async pulumi(command, { code = 0, ...options } = {}) {
      const words = command.split(" ");
      const isOperation = ["preview", "up", "refresh", "destroy"].includes(words[0] ?? "");
      const result = await sandbox.run([...words, ...(isOperation ? ["--suppress-progress"] : [])], options);
      const text = result.stdout + result.stderr;
      if (result.code !== code)
        throw new Error(`pulumi ${command} ended with code ${result.code}, not ${code}:\n${text}`);
      return { ...result, text };
    },
    rewrite: (source) => sandbox.write("index.js", source),
    requests() {
      const sent = ours.log.all().map(({ method, path }) => `${method} ${path.replace(/^\/(v1|api\/v2)\//, "")}`);
      ours.log.clear();
      return sent;
    },
  };
}

/** The variables with which a program finds a server. */
export function environmentOf({ secrets, cluster, policy }: Running): Record<string, string> {
  return {
    VAULT_ADDR: secrets.address,
    VAULT_TOKEN: secrets.token,
    CONSUL_HTTP_ADDR: cluster.address,
    CONSUL_HTTP_TOKEN: cluster.token,
    TFE_ADDRESS: policy.address,
    TFE_TOKEN: policy.token,
  };
}

/** A program in plain CommonJS, which starts a second sooner than TypeScript. */
export function programFiles(source: string): Record<string, string> {
  return {
    "Pulumi.yaml": "name: story\nruntime: nodejs\n",
    "package.json": JSON.stringify({ name: "story", private: true, main: "index.js" }),
    "index.js": source,
  };
}
