/** A text that is no JSON; the message is Go's, or that of Vault's body limiter. */
export class JsonFailure extends Error {}
