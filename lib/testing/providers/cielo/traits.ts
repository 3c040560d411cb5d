import { MOST_CENTS } from "@/lib/providers/cielo/capabilities";
import { type Traits, UPLOADED } from "@/lib/testing/provider-conformance/case";

export const FAMILY_TRAITS: Traits = {
  hosts: 2,
  continues: false,
  mostCents: MOST_CENTS,
  lacks: {
    ...UPLOADED,
    batches: "each notification is about one thing",
    lateSlips: "a slip is not closed before its day",
    surplusPix: "its codes are paid once and before their end",
    newsReference: "its notifications name the payment by the provider's id alone",
    refundReferences: "its refunds carry no reference of ours: the books tell them apart",
    shownCodes: "a Pix's code is shown to who makes it alone",
    wonDisputes: "its record of a dispute does not say how it ended",
  },
};

export const CIELO_TRAITS: Traits = {
  ...FAMILY_TRAITS,
  lacks: { ...FAMILY_TRAITS.lacks, refundList: "its record shows what went back as one sum" },
};
