/** A template that Go would not parse; the message is Go's own text. */
export class TemplateFailure extends Error {
  constructor(text: string, { line }: { line: number }) {
    super(`template: template:${line}: ${text}`);
  }
}

/** A function of Go's templates that is missing here. Doing something else instead would look like success. */
export function unsupported(what: string): Error {
  return new Error(`the embedded server does not support ${what} in username templates`);
}
