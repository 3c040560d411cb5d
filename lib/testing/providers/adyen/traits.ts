import { type Traits, UPLOADED } from "@/lib/testing/provider-conformance/case";

export const ADYEN_TRAITS: Traits = {
  hosts: 2,
  continues: true,
  lacks: {
    ...UPLOADED,
    datedSignatures: "what is signed of a notification names no moment",
    idBeforeMoney: "one request makes and authorizes: there is no id before it",
    lateSlips: "a canceled slip is not paid any more",
    openNews: "nothing is told before it has ended",
    surplusPix: "a code is closed once it is paid or has ended",
  },
};
