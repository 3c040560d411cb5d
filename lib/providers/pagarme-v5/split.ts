import type { Cents } from "@/lib/money";
import { type Read, rejected } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf } from "@/lib/providers/pagarme-v5/answers";
import { type Asking, send } from "@/lib/providers/pagarme-v5/call";
import { recipient } from "@/lib/providers/pagarme-v5/wire";
import type { Outcome, SplitLine } from "@/lib/providers/provider";
import { OWN_RECIPIENT } from "@/lib/providers/recipients";

export interface WireSplit {
  type: "flat";
  amount: Cents;
  recipient_id: string;
  options: { liable: boolean; charge_processing_fee: boolean; charge_remainder_fee: boolean };
}

/** Lines that do not add up are refused before anything is sent. */
export function splitProblem(lines: readonly SplitLine[] | undefined, amount: Cents): Outcome<never> | undefined {
  if (!lines) return undefined;
  const sum = lines.reduce((all, line) => all + line.amount, 0);
  return sum === amount ? undefined : rejected("invalid_request", `a split of ${sum} for ${amount}`);
}

/** The lines in Pagar.me's words. It knows the merchant's own recipient by itself. */
export async function splitOf(
  connections: Connections,
  call: Asking,
  lines: readonly SplitLine[] | undefined,
): Promise<{ ok: true; split: { split?: WireSplit[] } } | { ok: false; outcome: Outcome<never> }> {
  if (!lines) return { ok: true, split: {} };
  const isOwnNamed = lines.some(({ recipientId }) => recipientId === OWN_RECIPIENT);
  const own = isOwnNamed ? await ownRecipient(connections, call) : undefined;
  if (own && !own.ok) return own;
  return {
    ok: true,
    split: {
      split: lines.map((line) => ({
        type: "flat",
        amount: line.amount,
        recipient_id: line.recipientId === OWN_RECIPIENT ? (own?.value.id ?? "") : line.recipientId,
        options: {
          liable: line.liable,
          charge_processing_fee: line.processingFee,
          charge_remainder_fee: line.remainderFee,
        },
      })),
    },
  };
}

const ownRecipient = async (connections: Connections, call: Asking): Promise<Read<{ id: string }>> =>
  answerOf(await send(connections, call, { method: "GET", path: "/recipients/default" }), recipient);
