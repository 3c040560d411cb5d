import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { driveOperation } from "@/lib/purchases/work";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { aKey, type TestClient } from "@/lib/testing/api";
import type { CallOptions, Reply } from "@/lib/testing/api-client";
import { cardData, openToken, type Shop } from "@/lib/testing/payments";

/** What tests read of a purchase. */
export interface PurchaseReply {
  id: string;
  merchantId: string;
  amount: number;
  status: string;
  capture: boolean;
  pendingReview?: { reason: string; since: string };
  activeOperation?: { id: string; type: string; status: string };
  operation?: { id: string; type: string; status: string };
  orderId: string | null;
  payments: {
    slotIndex: number;
    amount: number;
    status: string;
    chargeId?: string;
    declineReason?: string;
    refundedAmount: number;
    paymentSource: Record<string, unknown>;
    card?: Record<string, unknown>;
    splitRules?: { sellerId: string; amount: number }[];
  }[];
  [member: string]: unknown;
}

/** One card of a purchase by a fresh token. */
export async function tokenPayment(client: TestClient, outcome: SandboxOutcome, amount: number) {
  return {
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await openToken(client, cardData(outcome)) },
  };
}

export interface NewPurchase extends CallOptions {
  outcomes?: readonly SandboxOutcome[];
  capture?: boolean;
  changes?: Record<string, unknown>;
}

const CENTS_PER_CARD = 5_000;

/** A valid body: a fresh card for each outcome, 50.00 each and a cent more from card to card. */
export async function purchaseOf(
  { client, merchant }: Shop,
  { outcomes = ["approve", "approve"], capture = false, changes }: NewPurchase = {},
) {
  const payments = [];
  for (const [index, outcome] of outcomes.entries())
    payments.push(await tokenPayment(client, outcome, CENTS_PER_CARD + index));
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
  return { merchantId: merchant.id, amount, capture, payments, ...changes };
}

/** Accepted, and not yet worked on. */
export async function buy(shop: Shop, given: NewPurchase = {}): Promise<Reply<PurchaseReply>> {
  const { outcomes: _outcomes, capture: _capture, changes: _changes, ...options } = given;
  const body = await purchaseOf(shop, given);
  return shop.client.call<PurchaseReply>("POST", "/v1/purchases", { idempotencyKey: aKey(), ...options, body });
}

/** Does what a worker does for every operation of this client that is claimable now. */
export async function work(client: TestClient): Promise<void> {
  for (;;) {
    const rows = await systemSql()<{ id: string }[]>`
      select id from purchase_operations
       where client_id = ${client.clientId} and status in ('pending', 'processing') and run_at <= now()
         and (lease_until is null or lease_until < now()) order by run_at limit 1`;
    const [next] = rows;
    if (!next) return;
    await driveOperation(systemContext(await loadAccount(client.clientId), newId()), next.id);
  }
}

/** Accepted and worked on, as far as it goes without waiting. */
export async function bought(shop: Shop, given: NewPurchase = {}): Promise<PurchaseReply> {
  const reply = await buy(shop, given);
  if (reply.status !== 202) throw new Error(`not accepted: ${reply.text}`);
  await work(shop.client);
  return readPurchase(shop.client, reply.body.id);
}

export const readPurchase = (client: TestClient, id: string): Promise<PurchaseReply> =>
  client.make<PurchaseReply>("GET", `/v1/purchases/${id}`);

export const changePurchase = (
  client: TestClient,
  id: string,
  verb: "capture" | "void",
  body: unknown = {},
  options: CallOptions = {},
) => client.call<PurchaseReply>("POST", `/v1/purchases/${id}/${verb}`, { idempotencyKey: aKey(), ...options, body });

/** Moves the account's test clock on, living what falls due. */
export const advance = (client: TestClient, duration: string): Promise<unknown> =>
  client.make("POST", "/v1/sandbox/clock", { body: { advance: duration } });
