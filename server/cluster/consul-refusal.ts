/** A request that Consul refuses: the text is the whole body. Most semantic errors are 500. */
export class ConsulRefusal extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = "ConsulRefusal";
    this.status = status;
  }
}
