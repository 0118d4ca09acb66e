const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Decodes padded base64 as Go's StdEncoding does: line breaks are skipped, anything else out of place is refused.
 * @throws Error with Go's text and its position.
 */
export function decodeGoBase64(text: string): Buffer {
  const source = Buffer.from(text).toString("latin1");
  let at = 0;
  while (at < source.length) at = skipQuantum(source, at);
  return Buffer.from(source, "base64");
}

/** Checks four characters and answers where the next four begin; the branches follow Go's decodeQuantum. */
function skipQuantum(source: string, start: number): number {
  let at = start;
  for (let place = 0; place < 4; place += 1) {
    const character = source[at];
    if (character === undefined) {
      if (place === 0) return at;
      throw corrupt(at - place);
    }
    at += 1;
    if (alphabet.includes(character)) continue;
    if (isLineBreak(character)) place -= 1;
    else if (character === "=") return skipPadding(source, { at, place });
    else throw corrupt(at - 1);
  }
  return at;
}

function skipPadding(source: string, { at, place }: { at: number; place: number }): number {
  if (place < 2) throw corrupt(at - 1);
  let end = at;
  if (place === 2) {
    end = skipLineBreaks(source, end);
    if (end === source.length) throw corrupt(end);
    if (source[end] !== "=") throw corrupt(end - 1);
    end += 1;
  }
  end = skipLineBreaks(source, end);
  if (end < source.length) throw corrupt(end);
  return end;
}

function skipLineBreaks(source: string, start: number): number {
  let at = start;
  while (isLineBreak(source[at])) at += 1;
  return at;
}

function isLineBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

function corrupt(position: number): Error {
  return new Error(`illegal base64 data at input byte ${position}`);
}
