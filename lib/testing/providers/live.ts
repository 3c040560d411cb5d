import { randomUUID } from "node:crypto";
import type {
  AuthorizeInput,
  CallContext,
  CardSecret,
  Outcome,
  PaymentProvider,
  PixInput,
  ProviderOperation,
  Secret,
} from "@/lib/providers/provider";
import { realNow } from "@/lib/time";

const CALL_MS = 20_000;
const AMOUNT = 12_34;

export interface LiveStep {
  title: string;
  ok: boolean;
  words: string;
}

/** The cards of a provider's own test host; a bank has none, and is asked for a Pix that nobody pays. */
export type LivePart = { approved: CardSecret; declined: CardSecret };

/** The safe part: test money of a test account, each hold given back. Stops at the first thing that is not as declared. */
export async function runLive(
  provider: PaymentProvider,
  credentials: Secret,
  cards: LivePart | undefined,
): Promise<LiveStep[]> {
  const steps: LiveStep[] = [];
  const chargeId = randomUUID();
  const callFor = (operation: ProviderOperation): CallContext => {
    const ref = { attemptId: randomUUID(), operation, sequence: 1 };
    return {
      ref: {
        ...ref,
        providerReference: provider.attemptReference(ref.attemptId),
        idempotencyKey: provider.idempotencyKey(ref),
        begunAt: realNow(),
      },
      clientId: chargeId,
      providerId: chargeId,
      chargeId,
      publicUrl: "https://pay.example",
      credentials,
      host: "test",
      note: () => Promise.resolve(),
      evidence: () => Promise.resolve([]),
      deadline: new Date(realNow().getTime() + CALL_MS),
      signal: AbortSignal.timeout(CALL_MS),
      clock: { now: realNow },
      log: { info: () => undefined, warn: () => undefined },
    };
  };
  const step = (title: string, ok: boolean, words: string): boolean => {
    steps.push({ title, ok, words });
    return ok;
  };
  const paying = (card: CardSecret, capture: boolean): AuthorizeInput => ({
    amount: AMOUNT,
    currency: "BRL",
    capture,
    installments: 1,
    card,
    holder: { name: "Conformance", email: "conformance@example.com" },
    buyerPresent: true,
    crossBorder: false,
  });

  const connected = await provider.connect?.({ ...callFor("authorize"), notificationsUrl: "https://pay.example/" });
  if (connected && !step("the credentials are known", connected.ok, connected.words)) return steps;

  const askedBy = (reference: CallContext, providerTxId: string) =>
    provider.query(reference, { providerTxId, reference: reference.ref, sentUntil: realNow() });

  if (!cards) {
    const call = callFor("pix");
    const offered = await provider.createPix(call, A_PIX);
    if (!step("a Pix is offered", offered.kind === "pending", told(offered)) || offered.kind !== "pending")
      return steps;
    const open = await askedBy(call, offered.providerTxId);
    step("the Pix is found unpaid", open.kind === "found" && open.state === "pending", open.kind);
    const canceled = await provider.cancelOpen(callFor("cancel_open"), { providerTxId: offered.providerTxId });
    step("the Pix is withdrawn", DONE.includes(canceled.kind), told(canceled));
    const gone = await askedBy(call, offered.providerTxId);
    step("the Pix is found withdrawn", gone.kind === "found" && gone.state === "canceled", gone.kind);
    return steps;
  }

  const held = await provider.authorize(callFor("authorize"), paying(cards.approved, false));
  if (!step("a card is held", held.kind === "approved", told(held)) || held.kind !== "approved") return steps;
  // Of one that can be asked nothing, what became of a payment is told to a public address alone.
  if (provider.capabilities.lookup !== "none") {
    const found = await askedBy(callFor("authorize"), held.providerTxId);
    step("the hold is found", found.kind === "found" && found.state === "pre_authorized", found.kind);
  }
  const voided = await provider.void(callFor("void"), {
    providerTxId: held.providerTxId,
    state: "pre_authorized",
    amount: AMOUNT,
  });
  if (!step("the hold is given back", voided.kind === "approved", told(voided))) return steps;

  const sold = await provider.authorize(callFor("authorize"), paying(cards.approved, true));
  if (!step("a card is charged", sold.kind === "approved", told(sold)) || sold.kind !== "approved") return steps;
  const refunded = await provider.refund(callFor("refund"), {
    providerTxId: sold.providerTxId,
    amount: AMOUNT,
    captured: AMOUNT,
    alreadyRefunded: 0,
  });
  step("the charge is refunded", refunded.kind === "approved", told(refunded));
  const declined = await provider.authorize(callFor("authorize"), paying(cards.declined, false));
  step("a card is declined", declined.kind === "declined", told(declined));
  return steps;
}

const A_PIX: PixInput = {
  amount: AMOUNT,
  expiresInSec: 3_600,
  payer: { name: "Conformance" },
  receiver: { name: "Conformance", city: "SAO PAULO" },
};
const DONE: readonly Outcome<unknown>["kind"][] = ["approved", "pending"];

const told = (outcome: Outcome<unknown>): string =>
  outcome.kind === "rejected"
    ? `${outcome.kind}: ${outcome.problem} ${outcome.detail}`
    : outcome.kind === "declined"
      ? `${outcome.kind}: ${outcome.declinedCode}`
      : outcome.kind === "undetermined" || outcome.kind === "not_sent"
        ? `${outcome.kind}: ${outcome.cause}`
        : outcome.kind;
