/** The forms of an id for a reader: `[{partition}/]{peerName}` is two. */
export function idForms(id: string): string[] {
  const forms = id.includes("[") ? [id.replace(/\[.*?\]/, ""), id.replace(/[[\]]/g, "")] : [id];
  return forms.map((form) => `\`${form.replace(/\{(\w+)(\|\w+)?\}/g, "<$1>")}\``);
}
