/** The parts of an Amazon resource name that roles look at. */
export interface ResourceName {
  readonly service: string;
  readonly resource: string;
}

/** @throws Error in the words of the cloud's SDK. */
export function parseResourceName(text: string): ResourceName {
  if (!text.startsWith("arn:")) throw new Error("arn: invalid prefix");
  const [, , service, , , ...resource] = text.split(":");
  if (service === undefined || resource.length === 0) throw new Error("arn: not enough sections");
  return { service, resource: resource.join(":") };
}
