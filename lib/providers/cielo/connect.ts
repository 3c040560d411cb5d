import { problemOf } from "@/lib/providers/answers";
import { answerOf } from "@/lib/providers/cielo/answers";
import { send } from "@/lib/providers/cielo/call";
import type { Family } from "@/lib/providers/cielo/family";
import { saleList } from "@/lib/providers/cielo/wire";
import type { Connections } from "@/lib/providers/connections";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";

const NO_ORDER = "0";
const NOT_FOUND = 404;

/** Asks for an order that nobody made: nothing moves. Addresses of notifications are kept by the provider's people. */
export async function connect(
  { sales }: Family,
  connections: Connections,
  call: ConnectionCall,
): Promise<ConnectionResult> {
  const asked = { method: "GET", path: sales, query: { merchantOrderId: NO_ORDER } } as const;
  const exchange = await send(connections, call, asked);
  if (exchange.kind !== "answered") return { ok: false, words: exchange.kind };
  const { status } = exchange;
  const read = answerOf(exchange, saleList);
  if (read.ok) return { ok: true, words: String(status) };
  const { outcome } = read;
  if (outcome.kind === "rejected" && outcome.problem === "not_found") return { ok: true, words: String(NOT_FOUND) };
  return { ok: false, words: outcome.kind === "rejected" ? outcome.problem : problemOf(status) };
}
