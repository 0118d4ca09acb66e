/** The JSON of a text, or undefined when it is none, such as a proxy's HTML page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
