import { main } from "../../provider/hosts/terraform/main";
import { schema } from "./bundled-schema";

/** Fulfilled when the provider serves. */
export const started = main(schema).catch(({ message }: Error) => {
  process.stderr.write(`terraform-provider-trustplane: ${message}\n`);
  process.exitCode = 1;
});
