import type { Instant, RedactedRaw } from "@/lib/providers/provider";

/** What an adapter makes of a notification: it is stored and triggers a query, it never moves money. */
export type WebhookParse =
  | { kind: "authentic"; events: ProviderEvent[] }
  | { kind: "forged" }
  | { kind: "stale" }
  | { kind: "unknown_event"; name: string };
export interface ProviderEvent {
  eventId: string;
  type: string;
  occurredAt: Instant;
  providerTxId?: string;
  reference?: string;
  /** Of a seller it speaks of, in the provider's word. */
  recipientId?: string;
  /** Of a mandate it speaks of, in the provider's word. */
  mandateId?: string;
  raw: RedactedRaw;
}

/** Where this installation takes a provider's notifications; some append one segment of their own. */
export const notificationsUrlOf = (publicUrl: string, providerId: string): string =>
  `${publicUrl}/v1/providers/${providerId}/notifications`;
