import { and, eq, gt, isNull } from "drizzle-orm";
import { providerRotations, providers } from "@/db/schema/merchants";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { changedCredentials } from "@/lib/merchants/providers";
import { lockProvider } from "@/lib/merchants/queries";
import type { ProviderChanges } from "@/lib/merchants/schema";
import { SamePerson, secondPersonAbove } from "@/lib/operators/second-person";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

export type RotationRow = typeof providerRotations.$inferSelect;
type Credentials = NonNullable<ProviderChanges["credentials"]>;

/** Credentials of a live account wait for a second person as soon as there is one who may. */
export const needsSecondPerson = async (ctx: Context): Promise<boolean> =>
  ctx.account.mode === "live" && (await secondPersonAbove(ctx, "merchants.edit", 0)) !== null;

const operatorOf = ({ principal }: Context): string => {
  if (principal.kind !== "operator") throw new Error("a rotation is asked for and confirmed by people");
  return principal.operatorId;
};

/** Keeps the new credentials sealed beside those in use; an older question about the same provider is over. */
export const askRotation = (ctx: Context, providerId: string, credentials: Credentials): Promise<string> =>
  inTransaction(ctx, async (inside) => {
    const stored = await lockProvider(inside, providerId);
    if (!stored) throw notFound("provider");
    const { sealed, changed } = changedCredentials(inside, stored, credentials);
    const at = realNow();
    const { db, account } = inside;
    await db
      .update(providerRotations)
      .set({ endedAt: at, endedBy: operatorOf(ctx), outcome: "replaced" })
      .where(
        and(
          eq(providerRotations.clientId, account.id),
          eq(providerRotations.providerId, providerId),
          isNull(providerRotations.endedAt),
        ),
      );
    const id = newId();
    await db.insert(providerRotations).values({
      id,
      clientId: account.id,
      providerId,
      credentials: sealed,
      members: changed,
      askedBy: operatorOf(ctx),
      createdAt: at,
      expiresAt: addSeconds(at, DAY_SECONDS),
    });
    await audit(inside, {
      action: "provider.rotation.asked",
      object: "provider",
      objectId: providerId,
      after: { changedCredentials: changed },
    });
    return id;
  });

const acting = (ctx: Context) =>
  and(
    eq(providerRotations.clientId, ctx.account.id),
    isNull(providerRotations.endedAt),
    gt(providerRotations.expiresAt, realNow()),
  );

export const openRotations = (ctx: Context): Promise<RotationRow[]> =>
  ctx.db.select().from(providerRotations).where(acting(ctx));

/** Puts them into use, by somebody else than who asked; or sends them away, by anybody who may. */
export const endRotation = (ctx: Context, id: string, outcome: "confirmed" | "refused"): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const [found] = await inside.db
      .select()
      .from(providerRotations)
      .where(and(acting(inside), eq(providerRotations.id, id)))
      .for("update");
    if (!found) throw notFound("rotation");
    const by = operatorOf(ctx);
    if (outcome === "confirmed" && found.askedBy === by) throw new SamePerson();
    const stored = await lockProvider(inside, found.providerId);
    if (!stored) throw notFound("provider");
    const at = realNow();
    await inside.db
      .update(providerRotations)
      .set({ endedAt: at, endedBy: by, outcome })
      .where(eq(providerRotations.id, id));
    if (outcome === "confirmed") {
      await inside.db
        .update(providers)
        .set({
          credentials: found.credentials,
          credentialMembers: [...new Set([...stored.credentialMembers, ...found.members])],
          updatedAt: at,
          testedAt: null,
          testPassed: null,
          testWords: null,
        })
        .where(eq(providers.id, found.providerId));
    }
    await audit(outcome === "confirmed" ? { ...inside, secondPerson: found.askedBy } : inside, {
      action: `provider.rotation.${outcome}`,
      object: "provider",
      objectId: found.providerId,
      before: { askedBy: found.askedBy },
      after: { changedCredentials: found.members },
    });
  });
