import type { z } from "zod";
import type { sessionHistory } from "@/db/schema/sessions";
import { type Env, env } from "@/lib/env";
import type { SessionBody, sessionRecordBody } from "@/lib/sessions/schema";
import { multiplePaymentsOf, type SessionRow } from "@/lib/sessions/state";

/** A checkout with an address of its own has nothing else under it; beside the API it lives under /pay. */
export function paymentLinkOf(
  sessionId: string,
  { BASE_URL, CHECKOUT_URL }: Pick<Env, "BASE_URL" | "CHECKOUT_URL"> = env(),
): string {
  return CHECKOUT_URL === BASE_URL ? `${BASE_URL}/pay/${sessionId}` : `${CHECKOUT_URL}/${sessionId}`;
}

/** The only place where a session becomes a wire object; `at` is the instant on the account's clock it is true for. */
export function serializeSession(row: SessionRow, at: Date): SessionBody {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    isActive: row.isActive,
    captchaEnabled: row.captchaEnabled,
    clientId: row.clientId,
    merchantId: row.merchantId,
    customerId: row.customerId,
    orderId: row.orderId,
    amount: row.amount,
    currency: row.currency,
    capture: row.capture,
    dueDate: row.dueAt,
    description: row.description,
    statementDescriptor: row.statementDescriptor,
    // Guarantee: written from the request schema; the reply schema checks it again.
    paymentMethods: row.paymentMethods as SessionBody["paymentMethods"],
    items: row.items,
    publicKey: row.publicKey,
    paymentLink: row.hasLink ? paymentLinkOf(row.id) : "",
    providerReferenceKey: row.providerReferenceKey,
    splitRules: row.splitRules.map(({ fares, ...rule }) => ({
      ...rule,
      fareMdr: fares?.mdr ?? null,
      fareFee: fares?.fee ?? null,
      createdAt: row.createdAt,
      updatedAt: row.createdAt,
    })),
    vendor: row.vendor,
    subscription: row.subscription,
    multiplePayments: multiplePaymentsOf(row, at),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

type HistoryRow = typeof sessionHistory.$inferSelect;

export const serializeRecord = (row: HistoryRow): z.input<typeof sessionRecordBody> => ({
  id: row.id,
  status: row.status,
  ...(row.actions[0] ? { action: row.actions[0] } : {}),
  actions: row.actions,
  // Guarantee: written by lib/sessions/history.ts alone; the reply schema checks it again.
  diff: row.diff as z.input<typeof sessionRecordBody>["diff"],
  clientId: row.clientId,
  merchantId: row.merchantId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
