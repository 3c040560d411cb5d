import { and, eq, max } from "drizzle-orm";
import { sellerCalls, sellerRegistrations } from "@/db/schema/sellers";
import { insertReturning } from "@/db/statements";
import { type Context, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import type { RegistrationRow, SellerRow } from "@/lib/sellers/queries";
import { addSeconds } from "@/lib/time";

export type CallRow = typeof sellerCalls.$inferSelect;

/** Whoever asks while the client waits is left this long before a worker does. */
const IN_BAND_SECONDS = 50;

export interface Registering {
  /** Registrations that exist at a provider already. */
  adopted: readonly { providerType: string; externalId: string }[];
  /** What goes to the provider with the seller. */
  documents: readonly string[];
}

/** One registration for each provider, with the first call to it, in the transaction of the seller. */
export async function registerSeller(
  ctx: Context,
  seller: Pick<SellerRow, "id">,
  places: readonly ProviderRow[],
  { adopted, documents }: Registering,
): Promise<RegistrationRow[]> {
  const at = now(ctx);
  const made = await insertReturning(
    ctx.db,
    sellerRegistrations,
    places.map(({ id: providerId, kind }) => ({
      id: newId(),
      clientId: ctx.account.id,
      sellerId: seller.id,
      providerId,
      providerType: kind,
      externalId: adopted.find(({ providerType }) => providerType === kind)?.externalId ?? null,
      status: "pending" as const,
      createdAt: at,
      updatedAt: at,
    })),
    { skip: true },
  );
  for (const { id, externalId } of made) {
    // What is there already is asked about: a registration is not made twice.
    if (externalId === null) await planCall(ctx, id, { call: "register" });
    for (const documentId of documents) await planCall(ctx, id, { call: "document", documentId });
    await schedule(ctx, "registration.query", id, addSeconds(at, IN_BAND_SECONDS));
  }
  return made;
}

type NewCall = { call: "register" | "update" } | { call: "document"; documentId: string };

/** Commits what is to be sent, before it is. A change that was not sent yet is sent with what follows it. */
export async function planCall(ctx: Context, registrationId: string, asked: NewCall): Promise<void> {
  if (asked.call === "update" && (await isWaiting(ctx, registrationId))) return;
  const [known] = await ctx.db
    .select({ sequence: max(sellerCalls.sequence) })
    .from(sellerCalls)
    .where(and(eq(sellerCalls.registrationId, registrationId), eq(sellerCalls.call, asked.call)));
  const at = now(ctx);
  await ctx.db.insert(sellerCalls).values({
    id: newId(),
    clientId: ctx.account.id,
    registrationId,
    ...asked,
    sequence: (known?.sequence ?? 0) + 1,
    state: "planned",
    createdAt: at,
    updatedAt: at,
  });
}

/** A call with the seller's data that has not left yet takes the newer ones along. */
async function isWaiting(ctx: Context, registrationId: string): Promise<boolean> {
  const waiting = await ctx.db
    .select({ call: sellerCalls.call, sentAt: sellerCalls.sentAt })
    .from(sellerCalls)
    .where(and(eq(sellerCalls.registrationId, registrationId), eq(sellerCalls.state, "planned")));
  return waiting.some(({ call, sentAt }) => call !== "document" && sentAt === null);
}
