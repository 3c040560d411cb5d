import { problemOf } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";
import { send } from "@/lib/providers/stripe/call";
import { errorAnswer, intentList } from "@/lib/providers/stripe/wire";

/** Asks for one payment of the account: nothing moves, and a key of the other side shows in what comes back. */
export async function connect(connections: Connections, call: ConnectionCall): Promise<ConnectionResult> {
  const exchange = await send(connections, call, { method: "GET", path: "/v1/payment_intents", fields: { limit: 1 } });
  if (exchange.kind !== "answered") return { ok: false, words: exchange.kind };
  const { status, body } = exchange;
  const refused = errorAnswer.safeParse(body);
  // Its message may quote the key: only its type and its code are repeated.
  if (refused.success) {
    return { ok: false, words: `${problemOf(status)}: ${refused.data.error.code ?? refused.data.error.type}` };
  }
  const listed = intentList.safeParse(body);
  if (!listed.success) return { ok: false, words: `${status} unreadable` };
  const isMixed = listed.data.data.some(({ livemode }) => livemode !== (call.host === "live"));
  return isMixed ? { ok: false, words: `${status} livemode` } : { ok: true, words: `${status}` };
}
