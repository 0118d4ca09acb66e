import { type Answer, type Dialect, isAboutToken, type Question } from "../dialects/dialect";
import type { Settings } from "./settings";

/** What to do about the refusal of a request that had no token: some servers need none, so it is said only then. */
export function adviceWithoutToken(
  { token }: Pick<Settings, "token">,
  dialect: Dialect,
  question: Question,
  answer: Answer,
): string | undefined {
  // What anybody may ask is not refused for the lack of a token.
  const isOpen = dialect.openPaths?.some((open) => question.path.endsWith(open));
  return !isOpen && isAboutToken(dialect, question, answer) ? token.advice : undefined;
}
