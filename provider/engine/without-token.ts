import { type Answer, type Dialect, isAboutToken, type Question } from "../dialects/dialect";
import type { Settings } from "./settings";

/** What everybody may ask, so that a refusal is not about a token. */
const OPEN_PATHS = ["/login", "/oidc/auth_url"];

/** What to do about the refusal of a request that had no token: some servers need none, so it is said only then. */
export function adviceWithoutToken(
  { token }: Pick<Settings, "token">,
  dialect: Dialect,
  question: Question,
  answer: Answer,
): string | undefined {
  const isOpen = OPEN_PATHS.some((open) => question.path.endsWith(open));
  return !isOpen && isAboutToken(dialect, question, answer) ? token.advice : undefined;
}
