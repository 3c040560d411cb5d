import { authorize, continueAuthentication } from "@/lib/providers/adyen/authorize";
import { ADYEN_CAPABILITIES } from "@/lib/providers/adyen/capabilities";
import { cancelOpen, capture, refund, voidHold } from "@/lib/providers/adyen/change";
import { connect } from "@/lib/providers/adyen/connect";
import { query } from "@/lib/providers/adyen/look-up";
import { createBoleto, createPix } from "@/lib/providers/adyen/open";
import { parseWebhook } from "@/lib/providers/adyen/webhook";
import { unsupported } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { credentialsOf } from "@/lib/providers/credentials";
import type { PaymentProvider } from "@/lib/providers/provider";

/**
 * Adyen: no payment of it can be looked up, and every change is received first. Its signed notifications tell what became
 * of both; until one comes the same request under the same key is the question (spec/providers.md section 3).
 */
export function adyenProvider(connections: Connections): PaymentProvider {
  return {
    kind: "ADYEN",
    capabilities: ADYEN_CAPABILITIES,
    validateCredentials: credentialsOf("ADYEN"),
    attemptReference: (attemptId) => attemptId,
    idempotencyKey: ({ attemptId, operation, sequence }) => `${attemptId}-${operation}-${sequence}`,
    authorize: (call, input) => authorize(connections, call, input),
    continueAuthentication: (call, input) => continueAuthentication(connections, call, input),
    capture: (call, input) => capture(connections, call, input),
    void: (call, input) => voidHold(connections, call, input),
    refund: (call, input) => refund(connections, call, input),
    query,
    createPix: (call, input) => createPix(connections, call, input),
    createBoleto: (call, input) => createBoleto(connections, call, input),
    createWallet: unsupported("wallets are not offered through this provider"),
    cancelOpen: (call, input) => cancelOpen(connections, call, input),
    connect: (call) => connect(connections, call),
    parseWebhook,
  };
}
