import {
  CheckFailure,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type DiffRequest,
  DiffResponse,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { canonicalText } from "../../core/canonical";
import { CONFIG_KEYS, isDefaultProvider } from "../../core/config-keys";
import { SECRET_FIELDS } from "../../core/connection-entry";
import type { Values } from "../../core/definition";
import { isProviderError } from "../../core/errors";
import { hasUnknown } from "../../core/unknowns";
import { assertKeysAreRead } from "../../core/unread-key";
import { assertConfiguration, type Configuration } from "../../engine/settings";
import type { Exchange } from "./exchange";
import type { Session } from "./session";

/** The calls that are about the provider itself. */
export function configurationCalls(session: Session) {
  return {
    async handshake() {
      const response = new ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      return response;
    },

    async checkConfig(_request: unknown, { given, seal }: Exchange) {
      const { values } = given.News;
      const response = new CheckResponse();
      response.setInputs(seal(values, withSecrets(values)));
      try {
        assertKeysAreRead(Object.keys(values));
        assertConfiguration(configurationIn(knownOf(values)));
      } catch (error) {
        if (!isProviderError(error)) throw error;
        // Without a property, whose value Pulumi would print: it may hold a token.
        const failure = new CheckFailure();
        failure.setReason(error.message);
        response.addFailures(failure);
      }
      return response;
    },

    /** Another configuration is no other provider: where the records are is a matter of each record's state. */
    async diffConfig(request: DiffRequest, { given }: Exchange) {
      const [olds, news] = [request.hasOldInputs() ? given.OldInputs : given.Olds, given.News];
      const isSame = CONFIG_KEYS.every((key) => canonicalText(olds.values[key]) === canonicalText(news.values[key]));
      const response = new DiffResponse();
      response.setChanges(isSame ? DiffResponse.DiffChanges.DIFF_NONE : DiffResponse.DiffChanges.DIFF_SOME);
      return response;
    },

    async configure(request: ConfigureRequest, { given }: Exchange) {
      const config = configurationIn(given.Args.values);
      session.configure(Object.assign(config, { of: ownerOf(request.getName()) }));
      const response = new ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    },
  };
}

/** Both get texts: only the name tells a provider of the program from the default one. Older releases of Pulumi do not say it. */
function ownerOf(name: string | undefined): NonNullable<Configuration["of"]> {
  if (!name) return "either";
  return isDefaultProvider(name) ? "stack" : "program";
}

/** The text of each key: other languages' SDKs may send what the program wrote as it is. */
function configurationIn(values: Values): Configuration {
  return (key) => {
    const value = values[key];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  };
}

const SECRET_MEMBER = new RegExp(`"(${SECRET_FIELDS.join("|")})"\\s*:`);

/** The keys whose entries carry a secret: it works, and is encrypted in the state like the rest of its entry. */
function withSecrets(values: Values): string[] {
  const text = configurationIn(values);
  return CONFIG_KEYS.filter((key) => SECRET_MEMBER.test(text(key) ?? ""));
}

/** In a preview the address of a server may be the output of a resource. */
function knownOf(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !hasUnknown(value)));
}
