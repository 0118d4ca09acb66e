import { cutText, plainText } from "../core/plain-text";
import { writtenForms } from "../core/written-forms";

/** Makes a text from outside safe to repeat: without secrets, and without characters that fool a terminal or a reader. */
export type Redact = (text: string) => string;

const MASK = "[redacted]";
/** From this length on, a part of a secret is as telling as the whole: servers and proxies cut what they echo. */
const TELLING = 12;
/** Shorter ones are masked as whole words only, as they are parts of ordinary words. */
const SHORT = 6;
const SHORTEST = 3;
/** What a server says of one failure. */
const MOST_WORDS = 5;
const LONGEST_WORDS = 300;
/** Nobody reads longer texts. They are left out whole: a text that is cut could end in half a secret. */
const LONGEST_SEARCHED = 65_536;

/** Masks these texts, also where they stand escaped for JSON or a URL, or where a part of them stands. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  let forms: readonly string[] | undefined;
  return (text) => {
    forms ??= [
      ...new Set(secrets.flatMap((secret) => (secret === undefined ? [] : writtenForms(secret))).map(plainText)),
    ];
    const short = forms.filter(({ length }) => length >= SHORTEST && length < TELLING);
    const masked = withoutParts(plainText(text), forms);
    return short.sort((a, b) => b.length - a.length).reduce((rest, form) => rest.replace(wordOf(form), MASK), masked);
  };
}

/** A server's own words, a few of them and none of them long. */
export function fewWords(words: readonly string[], redact: Redact): readonly string[] {
  const few = words.slice(0, MOST_WORDS).map((text) => shortened(text, redact));
  const more = words.length - few.length;
  return [...few.filter(Boolean), ...(more > 0 ? [`and ${more} more`] : [])];
}

function shortened(text: string, redact: Redact): string {
  if (text.length > LONGEST_SEARCHED) return `a text of ${text.length} characters`;
  return cutText(redact(text), LONGEST_WORDS);
}

function wordOf(form: string): RegExp {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return form.length < SHORT
    ? new RegExp(`(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`, "gu")
    : new RegExp(literal, "gu");
}

/** Masks every run of characters that some form has, too, from the telling length on. */
function withoutParts(text: string, forms: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (let at = 0; at + TELLING <= text.length; at++) {
    const part = text.slice(at, at + TELLING);
    const known = places.get(part);
    if (known) known.push(at);
    else places.set(part, [at]);
  }
  const found = new Set<number>();
  for (const form of forms) {
    for (let at = 0; at + TELLING <= form.length; at++) {
      for (const place of places.get(form.slice(at, at + TELLING)) ?? []) found.add(place);
    }
  }
  let [result, done] = ["", 0];
  for (const start of [...found].sort((a, b) => a - b)) {
    // One mask for parts that overlap.
    if (start > done || result === "") result += text.slice(done, start) + MASK;
    done = start + TELLING;
  }
  return result + text.slice(done);
}
