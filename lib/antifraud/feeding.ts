import type { ChargeStatus } from "@/db/schema/charges";
import type { FinalStatus } from "@/lib/providers/antifraud";

const FINAL: readonly FinalStatus[] = ["authorized", "failed", "voided", "canceled", "charged_back"];

/** What a fraud provider is told of a payment; undefined while its end is open. */
export const finalStatusOf = (status: ChargeStatus): FinalStatus | undefined => FINAL.find((one) => one === status);
