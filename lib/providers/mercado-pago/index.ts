import { rejected, unsupported } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import { authorize } from "@/lib/providers/mercado-pago/authorize";
import { MERCADO_PAGO_CAPABILITIES } from "@/lib/providers/mercado-pago/capabilities";
import { cancel, capture, refund } from "@/lib/providers/mercado-pago/changes";
import { connect } from "@/lib/providers/mercado-pago/connect";
import { query } from "@/lib/providers/mercado-pago/look-up";
import { createBoleto, createPix } from "@/lib/providers/mercado-pago/open-payments";
import { parseWebhook } from "@/lib/providers/mercado-pago/webhook";
import type { PaymentProvider } from "@/lib/providers/provider";

/** Mercado Pago: a card becomes a token, and a payment is found again by its external reference (spec/providers.md section 3). */
export function mercadoPagoProvider(connections: Connections): PaymentProvider {
  return {
    kind: "MERCADO_PAGO",
    capabilities: MERCADO_PAGO_CAPABILITIES,
    validateCredentials: credentialsOf("MERCADO_PAGO"),
    attemptReference: (attemptId) => attemptId,
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
    authorize: (call, input) => authorize(connections, call, input),
    capture: (call, input) => capture(connections, call, input),
    void: (call, { providerTxId, state, amount }) =>
      state === "authorized"
        ? Promise.resolve(rejected("invalid_state", "captured money is refunded"))
        : cancel(connections, call, providerTxId, amount),
    refund: (call, input) => refund(connections, call, input),
    query: (call, input) => query(connections, call, input),
    createPix: (call, input) => createPix(connections, call, input),
    createBoleto: (call, input) => createBoleto(connections, call, input),
    createWallet: unsupported("wallets are not offered through this provider"),
    cancelOpen: (call, { providerTxId }) => cancel(connections, call, providerTxId),
    connect: (call) => connect(connections, call),
    parseWebhook,
  };
}
