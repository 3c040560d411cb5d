import type { Connections } from "@/lib/providers/connections";
import type { Exchange } from "@/lib/providers/exchange";
import type { AttemptRef, ProviderCall } from "@/lib/providers/provider";

/** The version of the contract that the adapter was written and tested against. */
export const API_VERSION = "v72";
/** Metadata by which a payment of Adyen is known to be of one charge of ours. */
export const CHARGE = "charge";

const PREFIX = { live: `/checkout/${API_VERSION}`, test: `/${API_VERSION}` } as const;

export type Asking = Pick<ProviderCall, "host" | "credentials" | "deadline" | "signal"> & { ref?: AttemptRef };

/** One call; `step` tells the requests of one attempt apart, each of which has its own key of at most 64 signs. */
export interface AdyenRequest {
  path: string;
  body: Record<string, unknown>;
  step?: string;
}

export function send(connections: Connections, call: Asking, { path, body, step }: AdyenRequest): Promise<Exchange> {
  const { apiKey = "" } = call.credentials.reveal();
  const key = call.ref && `${call.ref.idempotencyKey}${step ? `-${step}` : ""}`;
  return connections.to(call).send(
    {
      method: "POST",
      path: `${PREFIX[call.host]}${path}`,
      headers: { "x-api-key": apiKey, ...(key ? { "idempotency-key": key } : {}) },
      body,
    },
    { deadline: call.deadline, signal: call.signal },
  );
}

/** Whose account is asked, as every request but one says. */
export const merchant = (call: Pick<ProviderCall, "credentials">) => ({ merchantAccount: accountOf(call) });

export const accountOf = ({ credentials }: Pick<ProviderCall, "credentials">): string =>
  credentials.reveal().merchantAccount ?? "";

export const paymentPath = (pspReference: string, action: string): string =>
  `/payments/${encodeURIComponent(pspReference)}/${action}`;
