import { type Running, startServers } from "../../server/serve.ts";
import { openStackStory, type StackStory, type StackStoryOptions } from "./stack-story.ts";
import { environmentOf } from "./watched-servers.ts";

export { changesFound, openingMs } from "./stack-story.ts";

/** What a story begins with. */
export interface StoryOptions extends Pick<StackStoryOptions, "program"> {
  /** Stack configuration that needs addresses of the servers. */
  readonly config?: (servers: Servers) => NonNullable<StackStoryOptions["config"]>;
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
  /** The requests to `ours` since the last call of this function, as `POST auth/jwt/role/ci`. */
  requests(): string[];
}

/** Starts servers and prepares the stack. */
export async function openStory({ program, config, env }: StoryOptions): Promise<Story> {
  const [ours, partner] = [await startServers(), await startServers()];
  const servers = { ours, partner };
  const stack = await openStackStory({
    program,
    env: { ...environmentOf(ours), ...env?.(servers) },
    config: config?.(servers) ?? {},
  });
  return {
    ...servers,
    ...stack,
    close: async () => {
      await stack.close();
      await Promise.all([ours.close(), partner.close()]);
    },
    requests() {
      const sent = ours.log.all().map(({ method, path }) => `${method} ${path.replace(/^\/(v1|api\/v2)\//, "")}`);
      ours.log.clear();
      return sent;
    },
  };
}
