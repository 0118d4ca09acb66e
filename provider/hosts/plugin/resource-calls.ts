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
import type { Definition, Values } from "../../core/definition";
import { type IgnoredPath, withIgnored } from "../../core/ignored";
import { stepsOf } from "../../core/property-path";
import { outputsOf } from "../../core/record";
import { joined } from "../../core/seal";
import { shownFailure } from "../../core/shown-failure";
import { placeholders } from "../../core/template";
import { UNKNOWN } from "../../core/unknowns";
import { inputsOf } from "../../engine/engine";
import { detailedDiff, type PathDifference } from "./detailed-diff";
import type { Exchange } from "./exchange";
import { Empty } from "./sdk-copies";
import type { Session } from "./session";

/** The calls that are about one resource. What each means is the engine's; here it is put into Pulumi's words. */
export function resourceCalls(session: Session) {
  /** The resources that the state has, by URN. */
  const had = new Set<string>();
  return {
    async check(request: CheckRequest, { table, given, sealer, seal }: Exchange) {
      const definition = table();
      const urn = request.getUrn();
      const { inputs, failures } = await session
        .engine()
        .check(definition, given.News.values, given.Olds.values, { by: urn, name: nameIn(urn), shown: sealer.shown });
      const response = new CheckResponse();
      response.setInputs(seal(inputs));
      response.setFailuresList(
        failures.map((failure) => {
          const { property, reason } = shownFailure(definition, inputs, failure, sealer);
          const shown = new CheckFailure();
          shown.setProperty(property);
          shown.setReason(reason);
          return shown;
        }),
      );
      return response;
    },

    async diff(request: DiffRequest, { table, given }: Exchange) {
      const definition = table();
      const olds = given.Olds;
      const ignored = ignoredBy(request);
      const news = { ...given.News, values: withIgnored(definition, given.News.values, olds.values, ignored) };
      const oldInputs = request.hasOldInputs() ? given.OldInputs : olds;
      had.add(request.getUrn());
      const difference = await session.engine().diff(definition, olds.values, news.values, { ignored, isUnread: true });
      if (difference.replaces.length > 0)
        await session.engine().foresee(definition, news.values, { name: nameIn(request.getUrn()), replaces: "ahead" });
      const secret = joined(olds, oldInputs, news).secrets;
      const compared = { olds: olds.values, oldInputs: oldInputs.values, news: news.values, secret };
      const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
      const response = new DiffResponse();
      response.setChanges(difference.changed.length === 0 ? DIFF_NONE : DIFF_SOME);
      response.setDiffsList([...difference.changed]);
      response.setReplacesList([...difference.replaces]);
      // A replacement makes another record, of which nothing is sure.
      const isUpdate = difference.changed.length > 0 && difference.replaces.length === 0;
      response.setStablesList(isUpdate ? stableOutputs(definition, olds.values) : []);
      // Also for a replacement that the program forces: the old and the new record may have the same id.
      response.setDeletebeforereplace(true);
      response.setHasdetaileddiff(true);
      for (const one of detailedDiff(definition, difference, compared)) {
        response.getDetaileddiffMap().set(one.path, propertyDiff(one));
      }
      return response;
    },

    async create(request: CreateRequest, { table, given, seal }: Exchange) {
      const definition = table();
      const inputs = given.Properties;
      const response = new CreateResponse();
      const urn = request.getUrn();
      const told = { name: nameIn(urn), isAnew: had.has(urn) };
      if (request.getPreview()) {
        if (told.isAnew) session.engine().remakes(definition, inputs.values);
        await session.engine().foresee(definition, inputs.values, { ...told, saysRemovals: true });
        const unknown = Object.fromEntries(Object.keys(definition.outputs).map((name) => [name, UNKNOWN]));
        response.setProperties(seal({ ...unknown, ...inputs.values }));
        return response;
      }
      const { id, state } = await session.within(request.getTimeout(), (limits) =>
        session.engine().create(definition, inputs.values, { ...limits, ...told }),
      );
      response.setId(id);
      response.setProperties(seal(state));
      return response;
    },

    async read(request: ReadRequest, { table, given, seal }: Exchange) {
      const definition = table();
      const found = await session.within(timeoutOf(request), (limits) =>
        session.engine().read(definition, request.getId(), given.Properties.values, limits),
      );
      const response = new ReadResponse();
      if (found === undefined) return response;
      response.setId(found.id);
      response.setProperties(seal(found.state));
      response.setInputs(seal(inputsOf(definition, found.state)));
      return response;
    },

    async update(request: UpdateRequest, { table, given, seal }: Exchange) {
      const definition = table();
      const [olds, news] = [given.Olds, given.News];
      const response = new UpdateResponse();
      const name = nameIn(request.getUrn());
      if (request.getPreview()) {
        await session.engine().foresee(definition, news.values, { name, olds: olds.values });
        response.setProperties(seal(expected(definition, olds.values, news.values)));
        return response;
      }
      const { state } = await session.within(request.getTimeout(), (limits) =>
        session.engine().update(definition, request.getId(), olds.values, news.values, {
          ...limits,
          name,
          ignored: ignoredBy(request),
        }),
      );
      response.setProperties(seal(state));
      return response;
    },

    async delete(request: DeleteRequest, { table, given }: Exchange) {
      const definition = table();
      const { values } = given.Properties;
      await session.within(request.getTimeout(), (limits) =>
        session.engine().delete(definition, request.getId(), values, limits),
      );
      return new Empty();
    },
  };
}

/** What the program's option `ignoreChanges` names. Pulumi has put what was recorded there, not what the server has now. */
function ignoredBy(request: DiffRequest | UpdateRequest): IgnoredPath[] {
  return request.getIgnorechangesList().map(stepsOf);
}

/** SDKs before 3.248 do not tell the timeout of a read. */
function timeoutOf(request: object): number {
  const { getTimeout } = request as { getTimeout?: () => number };
  return getTimeout?.call(request) ?? 0;
}

/** The name that the program gives a resource: the last part of its URN. */
function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** Outputs that an update leaves as they are. To repair a record that is broken it may make a new one. */
function stableOutputs({ id, outputs, stable, broken }: Definition, olds: Values): string[] {
  const isBroken = (broken?.(olds) ?? []).length > 0;
  return [...new Set([...placeholders(id).filter((name) => name in outputs), ...(isBroken ? [] : stable)])];
}

/** What an update will leave: of what only the server knows, nothing but what no update changes is sure. */
function expected(definition: Definition, olds: Values, news: Values): Values {
  const fixed = stableOutputs(definition, olds);
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
