import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { publicKeys } from "@/db/schema/accounts";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, type Principal } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { BUYER_SCOPES, mayHandOn, type Scope, scopesAllow } from "@/lib/http/scopes";
import { findPublicKey, liveKeyOf, type PublicKeyRow } from "@/lib/public-keys/queries";
import type { KeyScope, NewPublicKey } from "@/lib/public-keys/schema";
import { addSeconds, realNow } from "@/lib/time";

export async function createPublicKey(ctx: Context, input: NewPublicKey): Promise<PublicKeyRow> {
  return inTransaction(ctx, async (inside) => {
    const at = realNow();
    const expiresAt = input.expires === 0 ? null : addSeconds(at, input.expires);
    await refuseMoreThanHeld(inside, input.scope, expiresAt);
    if (input.reportsPersonal && inside.principal.kind === "public") {
      throw new DomainError("scope_not_allowed", "only a secret key opens personal columns to a key", {
        details: ["reportsPersonal"],
      });
    }
    const [created] = await inside.db
      .insert(publicKeys)
      .values({
        // Version 4: nothing about a key tells the next one.
        publicKey: randomUUID(),
        clientId: inside.account.id,
        root: inside.principal.kind === "public" ? inside.principal.rootKey : null,
        scope: input.scope,
        reportsPersonal: input.reportsPersonal ?? false,
        expires: input.expires,
        createdAt: at,
        expiresAt,
      })
      .returning();
    if (!created) throw new Error("an insert answers its row");
    await audit(inside, {
      action: "public_key.create",
      object: "public_key",
      objectId: created.publicKey,
      after: {
        scope: created.scope,
        expires: created.expires,
        ...(created.reportsPersonal ? { reportsPersonal: true } : {}),
      },
    });
    return created;
  });
}

/** A key hands on at most what it has, a public one for at most as long as it lives (spec/contract.md 1.7). */
async function refuseMoreThanHeld(ctx: Context, asked: readonly KeyScope[], expiresAt: Date | null): Promise<void> {
  const { principal } = ctx;
  const missing = asked.filter((scope) => !scopesIn(scope).every((one) => mayGive(principal, one)));
  if (missing.length > 0) {
    throw new DomainError("scope_not_allowed", "the calling key does not have these scopes", { details: missing });
  }
  if (principal.kind !== "public") return;
  const caller = await findPublicKey(ctx, principal.publicKey);
  if (caller?.expiresAt && (!expiresAt || expiresAt > caller.expiresAt)) {
    throw new DomainError("scope_not_allowed", "the new key may not expire later than the calling key", {
      details: ["expires"],
    });
  }
}

const scopesIn = (asked: KeyScope): readonly Scope[] => (asked === "*" ? BUYER_SCOPES : [asked]);

function mayGive(principal: Principal, scope: Scope): boolean {
  if (principal.kind === "public") return scopesAllow(principal.scopes, [scope]);
  return principal.kind !== "secret" || mayHandOn(principal.rights, scope);
}

/** Takes effect with the commit, on every process: keys are never cached. */
export async function revokePublicKey(ctx: Context, publicKey: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [revoked] = await inside.db
      .update(publicKeys)
      .set({ revokedAt: realNow() })
      .where(and(liveKeyOf(inside), eq(publicKeys.publicKey, publicKey)))
      .returning({ scope: publicKeys.scope });
    if (!revoked) throw notFound("public key");
    await audit(inside, { action: "public_key.revoke", object: "public_key", objectId: publicKey, before: revoked });
  });
}
