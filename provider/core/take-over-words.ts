/** How is said that a record is there and taken over: the comment of a pull request finds these words in a preview. */
export const IS_TAKEN_OVER = "It is taken over";

/** How is said in a preview that the update will not be done: the comment of a pull request finds these words, too. */
export const WILL_BE_REFUSED = "this update will be refused";

/** How a refusal to take one over begins. */
export const EXISTS_ALREADY = "it exists already";
