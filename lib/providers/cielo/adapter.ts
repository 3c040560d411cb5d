import { rejected, unsupported } from "@/lib/providers/answers";
import { authorize } from "@/lib/providers/cielo/authorize";
import { cancel, capture, refund } from "@/lib/providers/cielo/changes";
import { connect } from "@/lib/providers/cielo/connect";
import type { Family } from "@/lib/providers/cielo/family";
import { query } from "@/lib/providers/cielo/look-up";
import { createBoleto, createPix } from "@/lib/providers/cielo/open-payments";
import { orderNumberOf } from "@/lib/providers/cielo/reference";
import { parseWebhook } from "@/lib/providers/cielo/webhook";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import type { PaymentProvider } from "@/lib/providers/provider";

/** One API in two products: it knows no keys, and a payment is found again by its order's number (spec/providers.md section 3). */
export const familyProvider = (family: Family, connections: Connections): PaymentProvider => ({
  kind: family.kind,
  capabilities: family.capabilities,
  validateCredentials: credentialsOf(family.kind),
  attemptReference: orderNumberOf,
  idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
  authorize: (call, input) => authorize(family, connections, call, input),
  capture: (call, input) => capture(family, connections, call, input),
  void: (call, { providerTxId, state, amount }) =>
    state === "authorized"
      ? Promise.resolve(rejected("invalid_state", "captured money is refunded"))
      : cancel(family, connections, call, providerTxId, amount),
  refund: (call, input) => refund(family, connections, call, input),
  query: (call, input) => query(family, connections, call, input),
  createPix: (call, input) => createPix(family, connections, call, input),
  createBoleto: (call, input) => createBoleto(family, connections, call, input),
  createWallet: unsupported("wallets are not offered through this provider"),
  cancelOpen: (call, { providerTxId }) => cancel(family, connections, call, providerTxId),
  connect: (call) => connect(family, connections, call),
  parseWebhook,
});
