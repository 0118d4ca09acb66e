/** A comment or an issue that a forge has. */
export interface Found {
  readonly id: number;
  readonly body: string;
  readonly author: Author;
}

/** Who wrote it, as far as the forge says. */
export interface Author {
  readonly id?: number;
  readonly login?: string;
  readonly isBot: boolean;
}

/** What happened to a request that writes. */
export type Written =
  | { readonly is: "done"; readonly url: string }
  | { readonly is: "notOurs" }
  | { readonly is: "unsure" };

/** The notes of a forge that may have a marker: the comments of one pull request, or the open issues of a repository. */
export interface Notes {
  /** What is being written, for messages: `a comment on pull request 7 of acme/platform`. */
  readonly what: string;
  /** Characters that the forge takes. */
  readonly longest: number;
  /** Whether this token's account wrote it: anybody can copy a marker. */
  isOurs(author: Author): Promise<boolean>;
  /** All of them, oldest first, page by page. */
  all(): AsyncIterable<Found>;
  /** `unsure`: the forge may have made it although it answered with an error. */
  create(body: string, title: string): Promise<Written>;
  /** `notOurs`: somebody else wrote it, and this token may not edit it. */
  edit(id: number, body: string): Promise<Written>;
  /** Ends an issue, with a last body; comments are edited. */
  close(id: number, body: string): Promise<Written>;
}
