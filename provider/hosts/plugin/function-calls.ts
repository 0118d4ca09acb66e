import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ProviderError } from "../../core/errors";
import { titleOf } from "../../engine/operation";
import type { Exchange } from "./exchange";
import { functionOf } from "./requested-table";
import type { Session } from "./session";

/** The calls of functions, which are about no resource. */
export function functionCalls(session: Session) {
  return {
    async invoke(request: InvokeRequest, { given, seal }: Exchange) {
      const definition = functionOf(request.getTok());
      const args = given.Args;
      if (definition.issues && request.getPreview()) {
        await session.engine().checkCall(definition, args.values);
        const title = titleOf(definition, args.values);
        // The engine takes no answer that is unknown.
        const reason = "it has the server issue something, which a preview must not";
        throw new ProviderError("InputError", `calling ${title}: ${reason}. Call it during updates only.`);
      }
      const { results, release } = await session.within(0, ({ signal }) =>
        session.engine().call(definition, args.values, signal),
      );
      if (release) session.atEnd(release);
      const response = new InvokeResponse();
      response.setReturn(seal(results, definition.secretResults));
      return response;
    },
  };
}
