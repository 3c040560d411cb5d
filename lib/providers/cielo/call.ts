import type { Family } from "@/lib/providers/cielo/family";
import type { Connections } from "@/lib/providers/connections";
import type { Exchange } from "@/lib/providers/exchange";
import type { ProviderCall } from "@/lib/providers/provider";

export type Asking = Pick<ProviderCall, "host" | "credentials" | "deadline" | "signal"> & { chargeId?: string };

export interface CieloRequest {
  method: "GET" | "POST" | "PUT";
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** What only asks goes to a host of its own. */
export function send(
  connections: Connections,
  call: Asking,
  { method, path, query, body }: CieloRequest,
): Promise<Exchange> {
  const { merchantId = "", merchantKey = "" } = call.credentials.reveal();
  const asked = query ? `?${new URLSearchParams(query)}` : "";
  return connections.to(call, method === "GET" ? "query" : "api").send(
    {
      method,
      path: `${path}${asked}`,
      headers: {
        merchantid: merchantId,
        merchantkey: merchantKey,
        // One for all requests about a payment, for the provider's support. It protects from nothing.
        ...(call.chargeId === undefined ? {} : { requestid: call.chargeId }),
      },
      ...(body === undefined ? {} : { body }),
    },
    { deadline: call.deadline, signal: call.signal },
  );
}

export const salePath = ({ sales }: Family, id: string, action = ""): string =>
  `${sales}/${encodeURIComponent(id)}${action === "" ? "" : `/${action}`}`;
