import { countProviderCall } from "@/lib/metrics";
import type { MandateProvider } from "@/lib/providers/mandates";
import type { CallContext, PaymentProvider, ProviderCall } from "@/lib/providers/provider";
import type { RecipientProvider } from "@/lib/providers/recipients";
import { monotonicMs } from "@/lib/time";
import { type SpanGiven, traced } from "@/lib/tracing";

/** The same adapter, each of its calls counted and timed. */
export function measured(provider: PaymentProvider): PaymentProvider {
  const timed =
    <C extends ProviderCall, I, R extends { kind: string }>(
      operation: string,
      call: (context: C, input: I) => Promise<R>,
    ) =>
    async (context: C, input: I): Promise<R> => {
      const startedMs = monotonicMs();
      let outcome = "bug";
      try {
        const result = await traced(
          () => spanOf(provider, operation, context),
          async (note) => {
            const answered = await call(context, input);
            note({ outcome: answered.kind });
            return answered;
          },
        );
        outcome = result.kind;
        return result;
      } finally {
        countProviderCall(provider.kind, operation, outcome, monotonicMs() - startedMs);
      }
    };
  return {
    ...provider,
    authorize: timed("authorize", provider.authorize),
    capture: timed("capture", provider.capture),
    void: timed("void", provider.void),
    refund: timed("refund", provider.refund),
    query: timed("query", provider.query),
    createPix: timed("create_pix", provider.createPix),
    createBoleto: timed("create_boleto", provider.createBoleto),
    createWallet: timed("create_wallet", provider.createWallet),
    cancelOpen: timed("cancel_open", provider.cancelOpen),
    ...(provider.payEarly ? { payEarly: timed("pay_early", provider.payEarly) } : {}),
    ...(provider.statement ? { statement: timed("statement", provider.statement) } : {}),
    ...(provider.recipients ? { recipients: timedRecipients(provider.recipients) } : {}),
    ...(provider.mandates ? { mandates: timedMandates(provider.mandates) } : {}),
  };

  function timedMandates(mandates: MandateProvider): MandateProvider {
    return {
      ...mandates,
      create: timed("create_mandate", mandates.create),
      query: timed("query_mandate", mandates.query),
      end: timed("end_mandate", mandates.end),
    };
  }

  function timedRecipients(recipients: RecipientProvider): RecipientProvider {
    return {
      ...recipients,
      register: timed("register_recipient", recipients.register),
      update: timed("update_recipient", recipients.update),
      sendDocument: timed("send_document", recipients.sendDocument),
      queryRecipient: timed("query_recipient", recipients.queryRecipient),
    };
  }
}

type Attempted = Partial<Pick<CallContext, "chargeId">> & { ref?: { attemptId: string } };

const spanOf = ({ kind }: PaymentProvider, operation: string, context: ProviderCall & Attempted): SpanGiven => ({
  name: "provider call",
  fields: {
    kind,
    operation,
    clientId: context.clientId,
    providerId: context.providerId,
    ...(context.chargeId === undefined ? {} : { chargeId: context.chargeId }),
    ...(context.ref === undefined ? {} : { attemptId: context.ref.attemptId }),
  },
});
