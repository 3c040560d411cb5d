import { z } from "zod";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK_HEALTHS } from "@/db/schema/webhooks";
import { EVENT_GROUPS, EVENT_NAMES, isEventName } from "@/lib/event-names";
import { commaList, createdFilter, freeObject, instantIn, instantOut, optional, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";
import { DAY_SECONDS } from "@/lib/time";
import { LONGEST_ENDPOINT } from "@/lib/webhooks/endpoint-rules";

const isGroup = (name: string): boolean => EVENT_GROUPS.includes(name);

const subscription = z
  .string()
  .refine((name) => name === "*" || isGroup(name) || isEventName(name), "must be an event, `<object>.*` or `*`")
  .meta({ type: "string", enum: ["*", ...EVENT_GROUPS, ...EVENT_NAMES] });

const eventFilter = z
  .string()
  .refine((name) => isGroup(name) || isEventName(name), "must be an event or `<object>.*`")
  .meta({ type: "string", enum: [...EVENT_GROUPS, ...EVENT_NAMES] });

/** The version of what is sent; 1 is another way to say 1.1. */
export const EVENT_VERSION = 1.1;
const version = z
  .union([z.literal(1), z.literal(EVENT_VERSION)], { error: "must be 1.1" })
  .transform(() => EVENT_VERSION)
  .meta({ type: "number", enum: [1, EVENT_VERSION], default: EVENT_VERSION });

const endpoint = z.string().min(1).max(LONGEST_ENDPOINT).meta({
  format: "uri",
  description:
    "https and a public address. A query string is allowed, a user is not. Each webhook has its own. `listener:<name>` has no address: a program takes the events itself, with `POST /v1/webhooks/{id}/listen`.",
});

export const newWebhook = z
  .object({
    event: subscription,
    endpoint,
    version: optional(version).transform((given) => given ?? EVENT_VERSION),
    status: optional(z.boolean()).transform((given) => given ?? true),
  })
  .meta({ id: "NewWebhook" });
export type NewWebhook = z.output<typeof newWebhook>;

export const webhookChange = z
  .object({
    event: optional(subscription),
    endpoint: optional(endpoint),
    version: optional(version),
    status: optional(z.boolean()).meta({
      description: "true after we stopped the webhook sends what was held meanwhile; false holds nothing",
    }),
  })
  .meta({ id: "WebhookChange" });
export type WebhookChange = z.output<typeof webhookChange>;

export const webhookBody = z
  .object({
    id: z.uuid(),
    createdAt: instantOut,
    updatedAt: instantOut,
    clientId: z.uuid(),
    event: z.string(),
    endpoint: z.string(),
    version: z.number(),
    publicKey: z.string().meta({ description: "PEM (SPKI) of the Ed25519 key that signs what is sent" }),
    status: z.boolean(),
    health: z.enum(WEBHOOK_HEALTHS).meta({
      description: "failing: three failures and no success for 15 minutes; paused: stopped after five days without one",
    }),
    previousPublicKey: z.string().optional().meta({ description: "For 24 hours after a new key was made" }),
    previousKeyExpiresAt: instantOut.optional(),
    disabledAt: instantOut.optional(),
    disabledReason: z.enum(DISABLED_REASONS).optional(),
  })
  .meta({ id: "Webhook", description: "An endpoint that is told of events." });
export type WebhookBody = z.input<typeof webhookBody>;

export const webhookList = listOf(webhookBody);
export const webhookParams = z.object({ id: uuid });
export const deliveryParams = z.object({ id: uuid, deliveryId: uuid });

const attempt = z
  .object({
    number: z.int(),
    at: instantOut,
    durationMs: z.int(),
    statusCode: z.int().optional(),
    error: z.enum(ATTEMPT_ERRORS).optional(),
  })
  .meta({ id: "WebhookAttempt" });

export const deliveryBody = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    eventId: z.uuid(),
    event: z.string(),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        "held: its webhook is stopped by us; exhausted: seven attempts failed; dropped: its webhook was deleted, stopped by its client, or answered 410",
    }),
    attempts: z.array(attempt),
    nextAttemptAt: instantOut.optional(),
    deliveredAt: instantOut.optional(),
    createdAt: instantOut,
  })
  .meta({ id: "WebhookDelivery", description: "One event on its way to one webhook." });
export type DeliveryBody = z.input<typeof deliveryBody>;
export const deliveryList = listOf(deliveryBody);

const span = {
  created: createdFilter.optional(),
  "created.gt": instantIn.optional(),
  "created.lt": instantIn.optional(),
};

export const deliveryFilters = pageQuery.extend({
  status: commaList(DELIVERY_STATUSES).optional(),
  event: eventFilter.optional(),
  eventId: uuid.optional(),
  ...span,
});
export type DeliveryFilters = z.output<typeof deliveryFilters>;

export const LONGEST_REPLAY_DAYS = 30;

export const newEventReplay = z
  .object({ since: instantIn, until: instantIn, event: optional(subscription) })
  .refine(({ since, until }) => since <= until, { path: ["until"], error: "must not be before since" })
  .refine(({ since, until }) => until.getTime() - since.getTime() <= LONGEST_REPLAY_DAYS * DAY_SECONDS * 1_000, {
    path: ["until"],
    error: `must be at most ${LONGEST_REPLAY_DAYS} days after since`,
  })
  .meta({ id: "NewReplay", description: "A window of time; `event` narrows the webhook's own choice." });
export type NewReplay = z.output<typeof newEventReplay>;

const MOST_TAKEN = 20;
/** A server that stops waits for those who wait: not long. */
const LONGEST_WAIT_SECONDS = 5;
/** Of an attempt of seven minutes nobody learns anything. */
const LONGEST_ATTEMPT_MS = 400_000;

const listenResult = z
  .object({
    deliveryId: uuid,
    receipt: z.string().regex(/^\d{1,9}\.\d{1,15}$/, "must be the receipt that came with the delivery"),
    durationMs: z.int().min(0).max(LONGEST_ATTEMPT_MS),
    statusCode: optional(z.int().min(100).max(599)).meta({
      description: "What the reader answers for: 2xx is delivered",
    }),
    error: optional(z.enum(["timeout", "connection"])),
  })
  .refine(({ statusCode, error }) => (statusCode === undefined) !== (error === undefined), {
    error: "must have a statusCode or an error",
  })
  .meta({ id: "ListenResult", description: "What came of a delivery that was taken before." });

export const listenInput = z
  .object({
    results: optional(z.array(listenResult).max(MOST_TAKEN)).transform((given) => given ?? []),
    limit: optional(z.int().min(0).max(MOST_TAKEN)).transform((given) => given ?? MOST_TAKEN),
    waitSeconds: optional(z.int().min(0).max(LONGEST_WAIT_SECONDS)).transform((given) => given ?? 0),
    restart: optional(z.boolean()).meta({
      description: "true gives back what an earlier reader of this listener took and did not answer for",
    }),
  })
  .meta({ id: "Listen" });
export type ListenInput = z.output<typeof listenInput>;

export const listenBody = z
  .object({
    items: z.array(
      z
        .object({
          deliveryId: z.uuid(),
          receipt: z.string(),
          attempt: z.int(),
          headers: z
            .record(z.string(), z.string())
            .meta({ description: "As an endpoint receives them, both signatures included" }),
          body: z.string().meta({ description: "The exact text of the event that the signatures are over" }),
        })
        .meta({ id: "TakenDelivery" }),
    ),
  })
  .meta({ id: "Taken", description: "Deliveries in the hands of their reader for 90 seconds." });

export const eventReplayBody = z
  .object({ count: z.int() })
  .meta({ id: "Replay", description: "How many events are sent." });

export const eventBody = z
  .object({
    id: z.uuid(),
    object: z.string(),
    event: z.string(),
    apiVersion: z.string(),
    entityVersion: z
      .int()
      .meta({ description: "Grows by 1 per event of one object: the highest is the present state" }),
    createdAt: z.iso.datetime(),
    data: freeObject.meta({ description: "The object right after the change" }),
    objectId: z.uuid(),
  })
  .meta({ id: "Event", description: "What happened to one object. It never changes, and is kept for 90 days." });
export const eventList = listOf(eventBody);

export const eventFilters = pageQuery.extend({ event: eventFilter.optional(), objectId: uuid.optional(), ...span });
export type EventFilters = z.output<typeof eventFilters>;
export const eventParams = z.object({ id: uuid });
