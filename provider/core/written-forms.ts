/** How a secret may stand in a text: as it is, or escaped by the encoders that servers and proxies use. */
export function writtenForms(secret: string): string[] {
  const json = jsonOf(secret);
  const url = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    json,
    jsonOf(json),
    // Go escapes for HTML, PHP the slash, Python all that is not ASCII.
    json.replace(/[<>&]/g, escaped),
    json.replaceAll("/", "\\/"),
    json.replace(/[^ -~]/g, escaped),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll("%20", "+"),
    encodeURI(secret.toWellFormed()),
  ];
}

function jsonOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
