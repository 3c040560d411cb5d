import type { Embedded } from "@/db/embedded";
import type { Env } from "@/lib/env";

/** Where the database is: for the running processes, and for its owner, who migrates. */
export interface Addresses {
  readonly url: string;
  readonly ownerUrl: string;
}

/** Undefined where the embedded database is used. */
export function givenAddresses(source: Pick<Env, "DATABASE_URL" | "DATABASE_OWNER_URL">): Addresses | undefined {
  const url = source.DATABASE_URL?.trim();
  return url ? { url, ownerUrl: source.DATABASE_OWNER_URL?.trim() || url } : undefined;
}

export const addressesOf = (server: Pick<Embedded, "url" | "runtimeUrl">): Addresses => ({
  url: server.runtimeUrl,
  ownerUrl: server.url,
});
