import { sumOf } from "@/lib/money";
import { DEFAULT_DELAY_SECONDS } from "@/lib/providers/options";
import type { CallContext, Outcome, Payer, ProviderCall, SplitLine } from "@/lib/providers/provider";
import { hintsOf } from "@/lib/providers/sandbox/hints";
import { HEADER } from "@/lib/providers/sandbox/wire";
import { foldedText } from "@/lib/providers/text";

export const MAX_NAME = 64;
const DEFAULT_POLL_MS = 5_000;

export function splitProblem(split: SplitLine[] | undefined, amount: number): Outcome<never> | undefined {
  if (!split || sumOf(split.map((line) => line.amount)) === amount) return undefined;
  return { kind: "rejected", problem: "invalid_request", detail: "split lines do not add up to the amount" };
}

export const wireSplit = (split: SplitLine[]) => split.map(({ recipientId, amount }) => ({ recipientId, amount }));

export const payerOf = ({ name, email, document, address }: Payer) => ({
  name: foldedText(name, MAX_NAME),
  ...(email === undefined ? {} : { email }),
  ...(document === undefined ? {} : { document: document.number }),
  ...(address === undefined ? {} : { zipCode: address.zipCode }),
});

export function pollAfterMs(call: CallContext, nextEventAt: string | undefined): number {
  if (nextEventAt === undefined) return DEFAULT_POLL_MS;
  return Math.max(0, Date.parse(nextEventAt) - call.clock.now().getTime());
}

export const headersOf = (call: CallContext): Record<string, string> => ({
  ...callerHeaders(call, call.chargeId),
  [HEADER.idempotencyKey]: call.ref.idempotencyKey,
});

/** Whose call it is, about what, at which instant, and under which hints. */
export function callerHeaders(call: ProviderCall, subject: string): Record<string, string> {
  const { apiKey } = call.credentials.reveal();
  const delay = call.options?.delaySeconds;
  const { scenario, slotIndex, priority, clientCall } = hintsOf(call);
  return {
    authorization: `Bearer ${apiKey ? encodeURIComponent(apiKey) : "none"}`,
    [HEADER.client]: call.clientId,
    [HEADER.provider]: call.providerId,
    [HEADER.charge]: subject,
    [HEADER.now]: call.clock.now().toISOString(),
    [HEADER.delay]: String(typeof delay === "number" ? delay : DEFAULT_DELAY_SECONDS),
    [HEADER.publicUrl]: call.publicUrl,
    ...(scenario === undefined ? {} : { [HEADER.scenario]: scenario }),
    ...(slotIndex === undefined ? {} : { [HEADER.slot]: String(slotIndex) }),
    ...(priority === undefined ? {} : { [HEADER.priority]: String(priority) }),
    ...(clientCall ? { [HEADER.clientCall]: "1" } : {}),
  };
}
