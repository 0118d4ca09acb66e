import { HTTPException } from "hono/http-exception";
import { z } from "zod";

/** The JSON of a request's body. @throws HTTPException 400 */
export async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new HTTPException(400, { message: "the body must be JSON" });
  }
}

/** What the schema makes of a value. @throws HTTPException 400 */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new HTTPException(400, { message: z.prettifyError(result.error) });
}
