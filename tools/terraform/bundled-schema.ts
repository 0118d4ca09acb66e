import type { BuiltSchema } from "../../provider/hosts/terraform/main";

/** The bundler puts it here. */
export const schema: BuiltSchema = { json: "", message: "" };
