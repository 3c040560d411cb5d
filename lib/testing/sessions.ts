import { systemSql } from "@/db/client";
import { INVARIANTS } from "@/lib/invariants/catalogue";
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
export async function unlikeRows({ client }: Shop): Promise<{ id: string }[]> {
  const sessions = INVARIANTS.find(({ id }) => id === "M13");
  if (!sessions) throw new Error("M13 is not audited");
  const picked = `select id from sessions where client_id = '${client.clientId}'`;
  return systemSql().unsafe<{ id: string }[]>(`with picked(id) as (${picked}) ${sessions.sql}`);
}
