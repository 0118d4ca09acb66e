import {
  CheckFailure,
  type CheckRequest,
  CheckResponse,
  type ConfigureRequest,
  ConfigureResponse,
  type DiffRequest,
  DiffResponse,
  ProviderHandshakeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { canonicalText } from "../../core/canonical";
import { CONFIG_KEYS } from "../../core/config-keys";
import type { Values } from "../../core/definition";
import { isProviderError } from "../../core/errors";
import { hasUnknown } from "../../core/unknowns";
import { assertConfiguration, type Configuration } from "../../engine/settings";
import { received, sent } from "./property-values";
import type { Session } from "./session";

/** The calls that are about the provider itself. */
export function configurationCalls(session: Session) {
  return {
    async handshake() {
      const response = new ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      return response;
    },

    async checkConfig(request: CheckRequest) {
      const { values, secrets } = received(request.getNews());
      const response = new CheckResponse();
      response.setInputs(sent(values, withTokens(values), secrets));
      try {
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
    async diffConfig(request: DiffRequest) {
      const [olds, news] = [received(request.getOldInputs() ?? request.getOlds()), received(request.getNews())];
      const isSame = CONFIG_KEYS.every((key) => canonicalText(olds.values[key]) === canonicalText(news.values[key]));
      const response = new DiffResponse();
      response.setChanges(isSame ? DiffResponse.DiffChanges.DIFF_NONE : DiffResponse.DiffChanges.DIFF_SOME);
      return response;
    },

    async configure(request: ConfigureRequest) {
      session.configure(configurationIn(received(request.getArgs()).values));
      const response = new ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    },
  };
}

/** The text of each key: a default provider is given texts, an explicit one what the program wrote. */
function configurationIn(values: Values): Configuration {
  return (key) => {
    const value = values[key];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  };
}

/** The keys whose entries carry a token: it works, and is encrypted in the state like the rest of its entry. */
function withTokens(values: Values): string[] {
  const text = configurationIn(values);
  return CONFIG_KEYS.filter((key) => /"token"\s*:/.test(text(key) ?? ""));
}

/** In a preview the address of a server may be the output of a resource. */
function knownOf(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !hasUnknown(value)));
}
