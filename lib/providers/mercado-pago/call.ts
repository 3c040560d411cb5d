import type { Connections } from "@/lib/providers/connections";
import type { Exchange, OutboundRequest } from "@/lib/providers/exchange";
import type { AttemptRef, ProviderCall } from "@/lib/providers/provider";

export const CHARGE = "charge";

export type Asking = Pick<ProviderCall, "host" | "credentials" | "deadline" | "signal"> & { ref?: AttemptRef };

export interface MercadoPagoRequest {
  method: OutboundRequest["method"];
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Tells the requests of one attempt apart where it makes several. */
  step?: string;
}

export function send(
  connections: Connections,
  call: Asking,
  { method, path, query, body, step }: MercadoPagoRequest,
): Promise<Exchange> {
  const key = call.ref && method !== "GET" ? `${call.ref.idempotencyKey}${step ? `-${step}` : ""}` : undefined;
  const asked = query ? `?${new URLSearchParams(query)}` : "";
  return connections.to(call).send(
    {
      method,
      path: `${path}${asked}`,
      headers: {
        authorization: `Bearer ${call.credentials.reveal().accessToken}`,
        ...(key === undefined ? {} : { "x-idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body }),
    },
    { deadline: call.deadline, signal: call.signal },
  );
}

export const paymentPath = (id: string, action = ""): string =>
  `/v1/payments/${encodeURIComponent(id)}${action === "" ? "" : `/${action}`}`;
