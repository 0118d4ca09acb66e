import { hasUnknown, UNKNOWN } from "../../../provider/core/unknowns";

/** Stands for a value that the program hides, or that is not known before the update. */
export const NOT_SHOWN = "(secret, or not known yet)";

/** The same behind a verb. */
export const HIDDEN_NOW = "secret, or not known yet";

/** A name in a sentence, which may be hidden, or a part of it. */
export const shownName = (name: unknown) => String(name).replaceAll(UNKNOWN, NOT_SHOWN);

/** A value in a sentence. */
export const shownValue = (value: unknown) => (hasUnknown(value) ? NOT_SHOWN : JSON.stringify(value));
