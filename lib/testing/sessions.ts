import { systemSql } from "@/db/client";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import type { CallOptions, Reply } from "@/lib/testing/api-client";
import { cardData, newCustomer, openToken, type Shop } from "@/lib/testing/payments";

/** What tests read of a session. */
export interface SessionReply {
  id: string;
  status: string;
  isActive: boolean;
  amount: number;
  publicKey: string;
  paymentLink: string;
  dueDate: string | null;
  merchantId: string;
  multiplePayments: {
    allow: boolean;
    maxPayments: number | null;
    paymentCount: number;
    pendingCount: number;
    status: string;
  };
  [member: string]: unknown;
}

export const CREDIT = { paymentType: "credit", installments: 6 } as const;
export const PIX = { paymentType: "pix", expiresIn: 3_600 } as const;
export const BOLETO = {
  paymentType: "boleto",
  expiresDate: "2035-06-29",
  instructions: "Pagar até o vencimento",
} as const;

/** A valid session; a test states only what it is about. */
export const newSession = ({ merchant }: Shop, changes: Record<string, unknown> = {}) => ({
  merchantId: merchant.id,
  name: "Pedido 1001",
  createLink: true,
  paymentMethods: [CREDIT, PIX],
  items: [{ name: "Tênis", unitPrice: 10_500, quantity: 1, tangible: true }],
  ...changes,
});

export const openSession = (shop: Shop, changes: Record<string, unknown> = {}): Promise<SessionReply> =>
  shop.client.make<SessionReply>("POST", "/v1/sessions", { body: newSession(shop, changes) });

export const readSession = ({ client }: Shop, id: string): Promise<SessionReply> =>
  client.make<SessionReply>("GET", `/v1/sessions/${id}`);

export interface SessionChargeReply {
  id: string;
  status: string;
  amount: number;
  sessionId: string;
  error?: { type: string; code: number; declinedCode?: string };
  [member: string]: unknown;
}

export interface SessionCardPayment extends CallOptions {
  outcome?: SandboxOutcome;
  installments?: number;
  /** Members beside the payment. */
  changes?: Record<string, unknown>;
}

export async function chargeByCard(
  { client }: Shop,
  id: string,
  { outcome = "approve", installments = 1, changes, ...options }: SessionCardPayment = {},
): Promise<Reply<SessionChargeReply>> {
  const tokenId = await openToken(client, cardData(outcome));
  return client.call<SessionChargeReply>("POST", `/v1/sessions/${id}/charge`, {
    ...options,
    body: {
      paymentMethod: { paymentType: "credit", installments },
      paymentSource: { sourceType: "token", tokenId },
      ...changes,
    },
  });
}

export function chargeByPix(
  { client }: Shop,
  id: string,
  options: CallOptions = {},
): Promise<Reply<SessionChargeReply>> {
  const { address: _address, ...customer } = newCustomer();
  return client.call<SessionChargeReply>("POST", `/v1/sessions/${id}/charge`, {
    ...options,
    body: { paymentMethod: { paymentType: "pix" }, paymentSource: { sourceType: "customer", customer } },
  });
}

/** Sessions whose counts are not those of their payments (spec/invariants.md M13). */
export const unlikeRows = ({ client }: Shop): Promise<{ id: string }[]> => systemSql()<{ id: string }[]>`
  select s.id, s.payment_count, s.pending_count, c.paid, c.pending, p.paid, p.pending
    from sessions s,
    lateral (select count(*) filter (where captured_amount > 0) as paid,
                    count(*) filter (where captured_amount = 0 and status in
                      ('pending', 'pre_authorized', 'capture_pending', 'refund_pending')) as pending
               from charges where session_id = s.id and purchase_id is null) c,
    lateral (select count(*) filter (where exists (
                      select from events e where e.entity_id = q.id and e.event = 'paid')) as paid,
                    count(*) filter (where q.status = 'pending') as pending
               from purchases q where q.session_id = s.id) p
   where s.client_id = ${client.clientId}
     and (s.payment_count <> c.paid + p.paid or s.pending_count <> c.pending + p.pending)`;
