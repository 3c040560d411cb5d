import type { Connections } from "@/lib/providers/connections";
import type { Exchange } from "@/lib/providers/exchange";
import type { AttemptRef, ProviderCall } from "@/lib/providers/provider";

/** The version of the contract that the adapter was written and tested against. */
export const API_VERSION = "2023-08-16";

/** Metadata by which an object of Stripe is known to be of one attempt and one charge of ours. */
export const REFERENCE = "reference";
export const CHARGE = "charge";

type Value = string | number | boolean | undefined | readonly Value[] | { readonly [name: string]: Value };
export type Fields = { readonly [name: string]: Value };

/** One call; `step` tells the requests of one attempt apart, each of which has its own key. */
export interface StripeRequest {
  method: "GET" | "POST";
  path: string;
  fields?: Fields;
  step?: string;
}

export type Asking = Pick<ProviderCall, "host" | "credentials" | "deadline" | "signal"> & { ref?: AttemptRef };

export function send(
  connections: Connections,
  call: Asking,
  { method, path, fields = {}, step }: StripeRequest,
): Promise<Exchange> {
  const form = formOf(fields);
  const isRead = method === "GET";
  const query = isRead && form.size > 0 ? `?${form}` : "";
  return connections.to(call).send(
    {
      method,
      path: `${path}${query}`,
      headers: {
        authorization: `Bearer ${call.credentials.reveal().secretKey}`,
        "stripe-version": API_VERSION,
        ...(call.ref && step ? { "idempotency-key": `${call.ref.idempotencyKey}-${step}` } : {}),
      },
      ...(isRead ? {} : { form }),
    },
    { deadline: call.deadline, signal: call.signal },
  );
}

/** Nested members as the form spells them: a[b][0]. */
export function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  const add = (name: string, value: Value): void => {
    if (value === undefined) return;
    if (typeof value !== "object") form.append(name, String(value));
    else for (const [member, inner] of Object.entries(value)) add(`${name}[${member}]`, inner);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return form;
}

export const intentPath = (id: string, action = ""): string =>
  `/v1/payment_intents/${encodeURIComponent(id)}${action === "" ? "" : `/${action}`}`;
