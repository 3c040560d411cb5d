import type { Connections } from "@/lib/providers/connections";
import type { Exchange, OutboundRequest } from "@/lib/providers/exchange";
import type { ProviderCall } from "@/lib/providers/provider";

const BASE_PATH = "/core/v5";

/** Metadata by which a payment at Pagar.me is known to be of one attempt and one charge of ours. */
export const REFERENCE = "reference";
export const CHARGE = "charge";

export type Asking = Pick<ProviderCall, "host" | "credentials" | "deadline" | "signal"> & {
  ref?: { idempotencyKey: string };
};

export interface PagarmeRequest {
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
  { method, path, query, body, step }: PagarmeRequest,
): Promise<Exchange> {
  const key = call.ref && method !== "GET" ? `${call.ref.idempotencyKey}${step ? `-${step}` : ""}` : undefined;
  const asked = query ? `?${new URLSearchParams(query)}` : "";
  return connections.to(call).send(
    {
      method,
      path: `${BASE_PATH}${path}${asked}`,
      headers: {
        authorization: `Basic ${Buffer.from(`${call.credentials.reveal().secretKey}:`).toString("base64")}`,
        ...(key === undefined ? {} : { "idempotency-key": key }),
      },
      ...(body === undefined ? {} : { body }),
    },
    { deadline: call.deadline, signal: call.signal },
  );
}

export const chargePath = (id: string, action = ""): string =>
  `/charges/${encodeURIComponent(id)}${action === "" ? "" : `/${action}`}`;
export const recipientPath = (id: string, action = ""): string =>
  `/recipients/${encodeURIComponent(id)}${action === "" ? "" : `/${action}`}`;
