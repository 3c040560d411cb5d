import type { ProviderCall } from "@/lib/providers/provider";

/** A call about the account at the provider, no payment. */
export interface ConnectionCall extends ProviderCall {
  /** Where this installation takes the provider's notifications. */
  notificationsUrl: string;
}

export interface ConnectionResult {
  ok: boolean;
  /** What the provider answered, in its own word; never a part of the credentials. */
  words: string;
}
