import { MOST_CENTS } from "@/lib/providers/pagarme-v5/capabilities";
import { type Traits, UPLOADED } from "@/lib/testing/provider-conformance/case";

export const PAGARME_V5_TRAITS: Traits = {
  hosts: 2,
  continues: false,
  mostCents: MOST_CENTS,
  lacks: {
    ...UPLOADED,
    batches: "each notification is about one thing",
    datedSignatures: "its notifications sign in and carry no time that is signed",
    lateSlips: "a canceled slip is not paid any more",
    surplusPix: "its codes are paid once and before their end",
    documents: "a seller gives documents on the provider's own page",
    oldKeys: "an old key protects nothing: the look-up by code tells, and the product never sends again",
  },
};
