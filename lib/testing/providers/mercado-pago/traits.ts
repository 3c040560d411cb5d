import { MOST_CENTS } from "@/lib/providers/mercado-pago/capabilities";
import { type Traits, UPLOADED } from "@/lib/testing/provider-conformance/case";

export const MERCADO_PAGO_TRAITS: Traits = {
  hosts: 2,
  continues: false,
  mostCents: MOST_CENTS,
  lacks: {
    ...UPLOADED,
    batches: "each notification is about one thing",
    lateSlips: "a canceled slip is not paid any more",
    surplusPix: "its codes are paid once and before their end",
    networkCodes: "it refuses in words of its own and passes no network's code on",
    newsReference: "its notifications name the payment by the provider's id alone",
    oldKeys: "an old key protects nothing: the look-up by reference tells, and the product never sends again",
    partialDisputes: "a dispute is about the whole payment",
  },
};
