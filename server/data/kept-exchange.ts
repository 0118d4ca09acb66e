import { faultAnswer } from "../faults/fault-answer";
import type { Exchange } from "../http/exchange";
import type { Service } from "../service";
import { DataFailure } from "./data-failure";
import type { Tables } from "./tables";

/** Commits all changes of one request before it is answered. If that fails, the answer says so. */
export function keptExchange(
  exchange: Exchange,
  { service, tables }: { readonly service: Service; readonly tables: Tables },
): Exchange {
  return async (incoming) => {
    try {
      return await tables.transaction(() => exchange(incoming));
    } catch (error) {
      if (error instanceof DataFailure) return faultAnswer({ service, status: 500, text: error.message });
      throw error;
    }
  };
}
