import { MOST_CENTS } from "@/lib/providers/stripe/capabilities";
import { type Traits, UPLOADED } from "@/lib/testing/provider-conformance/case";

export const STRIPE_TRAITS: Traits = {
  hosts: 2,
  continues: false,
  mostCents: MOST_CENTS,
  lacks: {
    ...UPLOADED,
    batches: "each notification is about one thing",
    lateSlips: "a canceled slip is not paid any more",
    networkIdOfFirst: "its document has no member for the network's id of an earlier payment",
  },
};
