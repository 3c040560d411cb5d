import { problemOf } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { send } from "@/lib/providers/pagarme-v5/call";
import { recipientList } from "@/lib/providers/pagarme-v5/wire";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";

const REFUSED = 400;

/** Asks for one seller of the account: nothing moves. Addresses of notifications are kept in its dashboard alone. */
export async function connect(connections: Connections, call: ConnectionCall): Promise<ConnectionResult> {
  const exchange = await send(connections, call, { method: "GET", path: "/recipients", query: { size: "1" } });
  if (exchange.kind !== "answered") return { ok: false, words: exchange.kind };
  const { status, body } = exchange;
  if (status >= REFUSED) return { ok: false, words: problemOf(status) };
  return recipientList.safeParse(body).success
    ? { ok: true, words: String(status) }
    : { ok: false, words: `${status} unreadable` };
}
