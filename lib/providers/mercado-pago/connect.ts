import { problemOf } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { send } from "@/lib/providers/mercado-pago/call";
import { paymentList } from "@/lib/providers/mercado-pago/wire";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";

const REFUSED = 400;

/** Asks for one payment of the account: nothing moves, and a token of the other side shows in what comes back. */
export async function connect(connections: Connections, call: ConnectionCall): Promise<ConnectionResult> {
  const request = { method: "GET", path: "/v1/payments/search", query: { limit: "1" } } as const;
  const exchange = await send(connections, call, request);
  if (exchange.kind !== "answered") return { ok: false, words: exchange.kind };
  const { status, body } = exchange;
  if (status >= REFUSED) return { ok: false, words: problemOf(status) };
  const listed = paymentList.safeParse(body);
  if (!listed.success) return { ok: false, words: `${status} unreadable` };
  const isMixed = listed.data.results.some(
    ({ live_mode: isLive }) => isLive != null && isLive !== (call.host === "live"),
  );
  return isMixed ? { ok: false, words: `${status} live_mode` } : { ok: true, words: String(status) };
}
