import { rejected, unsupported } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import { authorize } from "@/lib/providers/pagarme-v5/authorize";
import { PAGARME_V5_CAPABILITIES } from "@/lib/providers/pagarme-v5/capabilities";
import { cancel, capture, refund } from "@/lib/providers/pagarme-v5/changes";
import { connect } from "@/lib/providers/pagarme-v5/connect";
import { query } from "@/lib/providers/pagarme-v5/look-up";
import { createBoleto, createPix } from "@/lib/providers/pagarme-v5/open-payments";
import { recipientCalls } from "@/lib/providers/pagarme-v5/recipients";
import { parseWebhook } from "@/lib/providers/pagarme-v5/webhook";
import type { PaymentProvider } from "@/lib/providers/provider";

/** Pagar.me, version 5: an order of one payment, found again by its code (spec/providers.md section 3). */
export function pagarmeV5Provider(connections: Connections): PaymentProvider {
  return {
    kind: "PAGARME_V5",
    capabilities: PAGARME_V5_CAPABILITIES,
    validateCredentials: credentialsOf("PAGARME_V5"),
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
    recipients: recipientCalls(connections),
    parseWebhook,
  };
}
