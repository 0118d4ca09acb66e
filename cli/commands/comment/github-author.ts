import type { Author } from "./forge";
import type { ForgeClient } from "./forge-client";

/** The account behind `GITHUB_TOKEN`: the Actions app. Nobody can register a login with brackets. */
const ACTIONS = "github-actions[bot]";

/** Tells whether the token's own account wrote a note: anybody can copy a marker. Asks the forge once. */
export function gitHubAuthorship(client: ForgeClient): (author: Author) => Promise<boolean> {
  let identity: Promise<(author: Author) => boolean> | undefined;
  return async (author) => {
    identity ??= identify(client);
    return (await identity)(author);
  };
}

async function identify(client: ForgeClient): Promise<(author: Author) => boolean> {
  const { id } = (await client.look("user")) ?? {};
  if (typeof id === "number") return (author) => author.id === id;
  // Tokens of apps, also `GITHUB_TOKEN`, may not read it (403). GraphQL tells them their account.
  const { data } = (await client.look("../graphql", { query: "{ viewer { databaseId login } }" })) ?? {};
  const viewer = Object(Object(data).viewer);
  if (typeof viewer.databaseId === "number") return (author) => author.id === viewer.databaseId;
  const login = typeof viewer.login === "string" ? viewer.login.replace(/(\[bot\])?$/, "[bot]") : ACTIONS;
  return (author) => author.isBot && author.login === login;
}
