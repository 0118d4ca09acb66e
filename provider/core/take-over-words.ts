// How is said that a record is there already: the comment of a pull request finds these words in a preview.

export const IS_TAKEN_OVER = "It is taken over";
export const EXISTS_ALREADY = "it exists already";

export function isAboutTakeOver(message: string): boolean {
  return message.includes(IS_TAKEN_OVER) || message.includes(EXISTS_ALREADY);
}
