import type { z } from "zod";
import { newCharge } from "@/lib/charges/schema";
import { chosenMethod } from "@/lib/session-payments/method";

/** Split rules, amount, currency, capture and merchant are the session's: as members nobody knows they are ignored. */
export const newSessionCharge = newCharge
  .pick({
    paymentSource: true,
    customerId: true,
    fraudAnalysis: true,
    paymentFlow: true,
    threeDSecure2: true,
    appInfo: true,
  })
  .extend({ paymentMethod: chosenMethod })
  .partial({ customerId: true, fraudAnalysis: true, paymentFlow: true, threeDSecure2: true, appInfo: true })
  .meta({ id: "NewSessionCharge" });
export type NewSessionCharge = z.output<typeof newSessionCharge>;
