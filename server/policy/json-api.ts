/** The media type of the API, in both directions. */
export const jsonApiMediaType = "application/vnd.api+json";

/** One entry of an answer's `errors`. Only status and title are sure to exist on the real service. */
export interface JsonApiError {
  readonly status: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: { readonly pointer: string };
}

/** A refused request, with the status and errors of its answer. */
export class JsonApiRefusal extends Error {
  readonly status: number;
  readonly errors: readonly JsonApiError[];

  constructor(status: number, errors: readonly JsonApiError[]) {
    super(errors.map((error) => error.detail ?? error.title).join("; "));
    this.name = "JsonApiRefusal";
    this.status = status;
    this.errors = errors;
  }
}

export function jsonApiResponse(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": jsonApiMediaType } });
}

export function unauthorized(): JsonApiRefusal {
  return new JsonApiRefusal(401, [{ status: "401", title: "unauthorized" }]);
}

/** Unknown ids and missing permissions look the same on purpose. */
export function notFound(): JsonApiRefusal {
  return new JsonApiRefusal(404, [{ status: "404", title: "not found" }]);
}

export function unsupportedMediaType(): JsonApiRefusal {
  const detail = `content-type must be ${jsonApiMediaType}`;
  return new JsonApiRefusal(415, [{ status: "415", title: "invalid content type", detail }]);
}

/** The texts are those of hashicorp-community/tf-helper #17; 765 is the parser's own number. */
export function unparsableBody(body: string): JsonApiRefusal {
  const detail = `765: unexpected token at '${body}'`;
  return new JsonApiRefusal(400, [{ status: "400", title: "JSON body is invalid", detail }]);
}

/**
 * What the real API has and this one does not. Not 501, which go-tfe repeats for half a minute; and not 404, of which it
 * drops the text.
 */
export function unsupported(what: string): JsonApiRefusal {
  const detail = `${what} is not supported by the embedded server`;
  return new JsonApiRefusal(405, [{ status: "405", title: "not supported", detail }]);
}

/** A body that is JSON but not the document the API wants. */
export function unprocessable(detail: string, pointer: string): JsonApiRefusal {
  return new JsonApiRefusal(422, [{ status: "422", title: "unprocessable entity", detail, source: { pointer } }]);
}

export function invalidAttribute(attribute: string, detail: string): JsonApiError {
  return { status: "422", title: "invalid attribute", detail, source: { pointer: `/data/attributes/${attribute}` } };
}

/** This one body carries its status as a number. */
export function rateLimited(): Response {
  return jsonApiResponse(429, {
    errors: [{ detail: "You have exceeded the API's rate limit.", status: 429, title: "Too many requests" }],
  });
}
