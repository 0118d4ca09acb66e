/** A text that is no JSON; the message is Go's, or that of Vault's body limiter (reference 1.2). */
export class JsonFailure extends Error {}
