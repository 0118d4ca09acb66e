import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Definition, Values } from "../../core/definition";
import { isProviderError } from "../../core/errors";
import { hiddenProperties } from "../../core/fingerprint";
import { outputsOf } from "../../core/record";
import { shownFailure } from "../../core/shown-failure";
import { placeholders } from "../../core/template";
import { UNKNOWN } from "../../core/unknowns";
import { inputsOf } from "../../engine/engine";
import { titleOf } from "../../engine/operation";
import { detailedDiff, type PathDifference } from "./detailed-diff";
import { allSecrets, received, type SecretParts, sent } from "./property-values";
import { resourceOf } from "./requested-table";
import type { Session } from "./session";

/** The calls that are about one resource. What each means is the engine's; here it is put into Pulumi's words. */
export function resourceCalls(session: Session) {
  return {
    async check(request: CheckRequest) {
      const definition = resourceOf(request.getUrn());
      const news = received(request.getNews());
      const { inputs, failures } = await session
        .engine()
        .check(definition, news.values, received(request.getOlds()).values);
      const response = new CheckResponse();
      response.setInputs(sealed(definition, inputs, news.secrets));
      response.setFailuresList(
        failures.map((failure) => {
          const { property, reason } = shownFailure(definition, inputs, failure, [...news.secrets.keys()]);
          const shown = new CheckFailure();
          shown.setProperty(property);
          shown.setReason(reason);
          return shown;
        }),
      );
      return response;
    },

    async diff(request: DiffRequest) {
      const definition = resourceOf(request.getUrn());
      const [olds, news] = [received(request.getOlds()), received(request.getNews())];
      const oldInputs = request.hasOldInputs() ? received(request.getOldInputs()) : olds;
      const difference = session.engine().diff(definition, olds.values, news.values);
      const secret = [...allSecrets(olds, oldInputs, news).keys()];
      const compared = { olds: olds.values, oldInputs: oldInputs.values, news: news.values, secret };
      const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
      const response = new DiffResponse();
      response.setChanges(difference.changed.length === 0 ? DIFF_NONE : DIFF_SOME);
      response.setDiffsList([...difference.changed]);
      response.setReplacesList([...difference.replaces]);
      // Also for a replacement that the program forces: the old and the new record may have the same id.
      response.setDeletebeforereplace(true);
      response.setHasdetaileddiff(true);
      for (const one of detailedDiff(definition, difference, compared)) {
        response.getDetaileddiffMap().set(one.path, propertyDiff(one));
      }
      return response;
    },

    async create(request: CreateRequest) {
      const definition = resourceOf(request.getUrn());
      const inputs = received(request.getProperties());
      const response = new CreateResponse();
      if (request.getPreview()) {
        const unknown = Object.fromEntries(Object.keys(definition.outputs).map((name) => [name, UNKNOWN]));
        response.setProperties(sealed(definition, { ...unknown, ...inputs.values }, inputs.secrets));
        return response;
      }
      const { id, state } = await remembering(definition, () =>
        session.within(request.getTimeout(), (limits) => session.engine().create(definition, inputs.values, limits)),
      );
      response.setId(id);
      response.setProperties(sealed(definition, state, inputs.secrets));
      return response;
    },

    async read(request: ReadRequest) {
      const definition = resourceOf(request.getUrn());
      const [state, inputs] = [received(request.getProperties()), received(request.getInputs())];
      const found = await session.within(request.getTimeout(), (limits) =>
        session.engine().read(definition, request.getId(), state.values, limits),
      );
      const response = new ReadResponse();
      if (found === undefined) return response;
      const secrets = allSecrets(state, inputs);
      response.setId(found.id);
      response.setProperties(sealed(definition, found.state, secrets));
      response.setInputs(sealed(definition, inputsOf(definition, found.state), secrets));
      return response;
    },

    async update(request: UpdateRequest) {
      const definition = resourceOf(request.getUrn());
      const [olds, news] = [received(request.getOlds()), received(request.getNews())];
      const response = new UpdateResponse();
      if (request.getPreview()) {
        response.setProperties(sealed(definition, expected(definition, olds.values, news.values), news.secrets));
        return response;
      }
      const { state } = await remembering(definition, () =>
        session.within(request.getTimeout(), (limits) =>
          session.engine().update(definition, request.getId(), olds.values, news.values, limits),
        ),
      );
      response.setProperties(sealed(definition, state, news.secrets));
      return response;
    },

    async delete(request: DeleteRequest) {
      const definition = resourceOf(request.getUrn());
      const { values } = received(request.getProperties());
      const id = request.getId();
      // Where the engine was made to create first, or the resource has another name in the program now.
      if (session.hasWritten({ definition, id, state: values })) {
        session.log.write("info", `${titleOf(definition, values)} was written by this run, and is not deleted`);
        return new Empty();
      }
      await session.within(request.getTimeout(), (limits) => session.engine().delete(definition, id, values, limits));
      return new Empty();
    },
  };

  /** What was written, also when something failed afterwards, must not be deleted by the same run. */
  async function remembering<T extends { id: string; state: Values }>(definition: Definition, work: () => Promise<T>) {
    try {
      const made = await work();
      session.wrote({ definition, ...made });
      return made;
    } catch (error) {
      if (isProviderError(error) && error.id !== undefined) {
        session.wrote({ definition, id: error.id, state: error.properties ?? {} });
      }
      throw error;
    }
  }
}

/** The properties with everything in an envelope that must not be shown. */
export function sealed(definition: Definition, values: Values, secrets?: SecretParts) {
  return sent(values, hiddenProperties(definition, values), secrets);
}

/** What an update will leave: of what only the server knows, nothing but its part of the id is sure. */
function expected(definition: Definition, olds: Values, news: Values): Values {
  const fixed = placeholders(definition.id);
  const outputs = Object.entries(outputsOf(definition, olds)).map(([name, value]) => [
    name,
    fixed.includes(name) ? value : UNKNOWN,
  ]);
  return { ...Object.fromEntries(outputs), ...news };
}

const KINDS = {
  add: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
  delete: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
  update: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
} as const;

function propertyDiff({ kind, replaces, isOfInputs }: PathDifference): PropertyDiff {
  const [inPlace, replacing] = KINDS[kind];
  const found = new PropertyDiff();
  found.setKind(replaces ? replacing : inPlace);
  found.setInputdiff(isOfInputs);
  return found;
}
