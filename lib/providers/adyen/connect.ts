import { answerOf } from "@/lib/providers/adyen/answers";
import { merchant, send } from "@/lib/providers/adyen/call";
import { methodsAnswer } from "@/lib/providers/adyen/wire";
import type { Connections } from "@/lib/providers/connections";
import type { ConnectionCall, ConnectionResult } from "@/lib/providers/provider";

/**
 * Asks which payment methods the merchant account has: nothing moves, and a wrong account is told as well as a wrong key.
 * The address of notifications is entered at Adyen by hand: its key is made there, and shown to who made it alone.
 */
export async function connect(connections: Connections, call: ConnectionCall): Promise<ConnectionResult> {
  const exchange = await send(connections, call, {
    path: "/paymentMethods",
    body: { ...merchant(call), countryCode: "BR" },
  });
  const read = answerOf(exchange, methodsAnswer);
  if (read.ok) return { ok: true, words: String(read.status) };
  const { outcome } = read;
  if (outcome.kind === "rejected") return { ok: false, words: `${outcome.problem}: ${outcome.detail}` };
  return { ok: false, words: outcome.kind };
}
