/**
 * A body that Vault refuses. `stage` says who refuses it: the limiter that reads the body first answers 500 with a bare
 * text, the decoder behind it answers 400 (reference 1.2).
 */
export class JsonFailure extends Error {
  readonly stage: "limiter" | "decoder";

  constructor(message: string, stage: "limiter" | "decoder") {
    super(message);
    this.stage = stage;
  }
}
