import { STATUS_CODES } from "node:http";
import type { Outgoing } from "../http/exchange";
import type { Service } from "../service";

export interface FaultAnswer {
  readonly service: Service;
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
  readonly sealed?: boolean;
  readonly text?: string;
}

/** A failed answer in the error form of the service that it pretends to come from. */
export function faultAnswer({ service, status, retryAfterSeconds, sealed = false, text }: FaultAnswer): Outgoing {
  const message = text ?? (sealed ? "Vault is sealed" : (STATUS_CODES[status] ?? "injected fault").toLowerCase());
  const { type, body } = errorForms[service]({ status, message });
  const retryAfter = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return { status, headers: { "content-type": type, ...retryAfter }, body };
}

interface ErrorForm {
  readonly type: string;
  readonly body: string;
}

type ErrorWriter = (error: { status: number; message: string }) => ErrorForm;

const vaultForm: ErrorWriter = ({ message }) => ({
  type: "application/json",
  body: `${JSON.stringify({ errors: [message] })}\n`,
});

const errorForms: Readonly<Record<Service, ErrorWriter>> = {
  secrets: vaultForm,
  admin: vaultForm,
  cluster: ({ message }) => ({ type: "text/plain; charset=utf-8", body: message }),
  policy: ({ status, message }) => ({
    type: "application/vnd.api+json; charset=utf-8",
    body: JSON.stringify({ errors: [{ status: String(status), title: message }] }),
  }),
  issuer: ({ message }) => ({
    type: "application/json",
    body: JSON.stringify({ error: "temporarily_unavailable", error_description: message }),
  }),
};
