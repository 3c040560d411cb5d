import { z } from "zod";
import { cardBody } from "@/lib/cards/schema";
import { chargeBody } from "@/lib/charges/schema";
import { EVENTS, type EventName, type EventObject } from "@/lib/event-names";
import { flowBody } from "@/lib/flows/schema";
import { monitorBody } from "@/lib/monitors/schema";
import { batchBody, returnedBody } from "@/lib/payouts/schema";
import { prepaymentBody } from "@/lib/prepayments/schema";
import { purchaseBody } from "@/lib/purchases/schema";
import { reviewBody, sellerEventData } from "@/lib/sellers/answer-schema";
import { sessionBody } from "@/lib/sessions/schema";
import { subscriptionData } from "@/lib/subscriptions/schema";

/** A charge as an event shows it (spec/contract.md 20.3). */
export const transactionData = chargeBody
  .omit({ error: true })
  .extend({
    idempotencyKey: z.string().nullable(),
    requestId: z.string().nullable(),
    installments: z.int().nullable(),
    fee: z.number().nullable(),
    feeAmount: z.number().nullable(),
  })
  .meta({ id: "TransactionEvent", description: "The charge right after the change, and the request it came with." });

const DATA: Readonly<Record<EventObject, z.ZodType>> = {
  transaction: transactionData,
  flow: flowBody,
  card: cardBody,
  purchase: purchaseBody,
  session: sessionBody,
  seller: sellerEventData,
  "seller.registration_review": reviewBody,
  subscription: subscriptionData,
  payout: batchBody,
  prepayment: prepaymentBody,
  monitor: monitorBody,
};

/** Where one event of an object shows more than the object. */
const DATA_OF_EVENT: Readonly<Record<string, z.ZodType>> = { "payout.returned": returnedBody };

export interface EventDeclaration {
  name: EventName;
  object: EventObject;
  event: string;
  /** What has happened when it is sent. */
  when: string;
  data: z.ZodType;
}

/** Every event once: the reference, the document of the webhooks and the tests read the same rows. */
export const EVENT_CATALOGUE: readonly EventDeclaration[] =
  // Guarantee: the keys of the table are the objects its type names.
  (Object.keys(EVENTS) as EventObject[]).flatMap((object) =>
    Object.entries(EVENTS[object]).map(([event, when]: [string, string]) => ({
      // Guarantee: made of one object and one event of the table.
      name: `${object}.${event}` as EventName,
      object,
      event,
      when,
      data: DATA_OF_EVENT[`${object}.${event}`] ?? DATA[object],
    })),
  );
