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
  raw: RedactedRaw;
}
