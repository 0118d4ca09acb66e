import { type Running, startServers } from "../../server/serve.ts";
import { openProxy } from "../support/contract-proxy.ts";
import { createTraffic } from "../support/contract-traffic.ts";
import { openStackStory, type StackStory, type StackStoryOptions } from "./stack-story.ts";
import { environmentOf } from "./watched-servers.ts";

export { changesFound, openingMs } from "./stack-story.ts";

/** What a story begins with. */
export interface StoryOptions extends Pick<StackStoryOptions, "program" | "sdk"> {
  /** Stack configuration that needs addresses of the servers. */
  readonly config?: (servers: Servers) => NonNullable<StackStoryOptions["config"]>;
  /** A proxy stands before the secrets server of `ours`, for `refuseReadBacks` and `failDeletesOnce`. */
  readonly isWatched?: boolean;
  /** Added to, or in place of, the variables that name the servers and their tokens. */
  readonly env?: (servers: Servers) => Readonly<Record<string, string>>;
}

/** Two embedded servers: `ours`, found through the environment, and `partner` for a second connection. */
export interface Servers {
  readonly ours: Running;
  readonly partner: Running;
}

/** One stack on embedded servers of its own; closing it ends them too. */
export interface Story extends Servers, StackStory {
  /** From now on, until the function that is answered is called, the secrets server refuses to read what was written. */
  refuseReadBacks(): () => void;
  /** From now on the secrets server answers the first DELETE of each record with 503. */
  failDeletesOnce(): void;
  /** The requests to `ours` since the last call of this function, as `POST auth/jwt/role/ci`. */
  requests(): string[];
}

/** Starts servers and prepares the stack. */
export async function openStory({ config, env, isWatched = false, ...options }: StoryOptions): Promise<Story> {
  const [ours, partner] = [await startServers(), await startServers()];
  const servers = { ours, partner };
  const traffic = createTraffic();
  const proxy = await openProxy(ours.secrets, "secrets", traffic);
  const secrets = { ...ours.secrets, address: isWatched ? proxy.address : ours.secrets.address };
  const stack = await openStackStory({
    ...options,
    env: { ...environmentOf({ ...ours, secrets }), ...env?.(servers) },
    config: config?.(servers) ?? {},
  });
  return {
    ...servers,
    ...stack,
    close: async () => {
      await stack.close();
      await proxy.close();
      await Promise.all([ours.close(), partner.close()]);
    },
    refuseReadBacks() {
      const written = new Set<string>();
      traffic.strikeAll(({ method, url }) => {
        if (method !== "GET") written.add(url);
        return method === "GET" && written.has(url);
      }, "403");
      return traffic.calm;
    },
    failDeletesOnce() {
      const failed = new Set<string>();
      traffic.strikeAll(({ method, url }) => {
        const isFirst = method === "DELETE" && !failed.has(url);
        if (isFirst) failed.add(url);
        return isFirst;
      }, "503");
    },
    requests() {
      const sent = ours.log.all().map(({ method, path }) => `${method} ${path.replace(/^\/(v1|api\/v2)\//, "")}`);
      ours.log.clear();
      return sent;
    },
  };
}
