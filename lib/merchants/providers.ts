import { eq } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { forbidden } from "@/lib/http/authenticate";
import { newId } from "@/lib/ids";
import {
  type AcceptedCredentials,
  acceptCredentials,
  changeCredentials,
  problemLines,
} from "@/lib/merchants/credentials";
import { findMerchant, lockProvider, type MerchantRow } from "@/lib/merchants/queries";
import type { NewProvider, ProviderChanges } from "@/lib/merchants/schema";
import { openCredentials, sealCredentials } from "@/lib/payments/credentials";
import { flowsNaming } from "@/lib/payments/routing/choices";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { checkAcquirer } from "@/lib/providers/acquirer";
import { isPaymentKind, isRoutable, optionsRuleOf, type RegistrableKind, registrableKind } from "@/lib/providers/kinds";
import { checkOptions } from "@/lib/providers/options";
import type { Result } from "@/lib/providers/provider";

export async function createProvider(ctx: Context, merchantId: string, input: NewProvider): Promise<ProviderRow> {
  return inTransaction(ctx, async (inside) => {
    const merchant = await findMerchant(inside, merchantId, "update");
    if (!merchant) throw notFound("merchant");
    const [added] = await insertProviders(inside, merchant, [input]);
    if (!added) throw new Error("an insert answers its row");
    // The merchant's sellers are registered there too.
    await schedule(inside, "merchant.sellers", added.id, now(inside));
    return added;
  });
}

/** The caller's transaction holds the merchant. */
export async function insertProviders(
  ctx: Context,
  merchant: Pick<MerchantRow, "id" | "status">,
  inputs: readonly NewProvider[],
): Promise<ProviderRow[]> {
  const at = now(ctx);
  const accepted = inputs.map((input) => acceptProvider(ctx, input));
  if (merchant.status) refuseUnavailable(accepted.filter(({ routable }) => !routable).map(({ kind }) => kind));
  const added: ProviderRow[] = [];
  for (const [index, row] of accepted.entries()) {
    // Equal priorities are tried older first, so providers of one request keep the order they were sent in.
    const createdAt = new Date(at.getTime() + index);
    const [provider] = await ctx.db
      .insert(providers)
      .values({
        ...row,
        clientId: ctx.account.id,
        merchantId: merchant.id,
        idempotencyKey: ctx.idempotency?.key ?? null,
        requestId: ctx.requestId,
        createdAt,
        updatedAt: createdAt,
      })
      .returning();
    if (!provider) throw new Error("an insert answers its row");
    await audit(ctx, {
      action: "provider.create",
      object: "provider",
      objectId: provider.id,
      after: { merchantId: merchant.id, ...shown(provider) },
    });
    added.push(provider);
  }
  return added;
}

/** No new payments through it until it is taken back; what was made through it goes on. */
export async function pauseProvider(
  ctx: Context,
  id: string,
  { paused, reason }: { paused: boolean; reason: string | undefined },
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const stored = await lockProvider(inside, id);
    if (!stored) throw notFound("provider");
    if ((stored.pausedAt !== null) === paused) return;
    const at = now(inside);
    await inside.db
      .update(providers)
      .set({ pausedAt: paused ? at : null, updatedAt: at })
      .where(eq(providers.id, id));
    await audit(inside, {
      action: PAUSES[paused ? "on" : "off"].action,
      object: "provider",
      objectId: id,
      after: { name: stored.name },
      reason,
    });
  });
}

const PAUSES = { on: { action: "provider.pause" }, off: { action: "provider.resume" } } as const;

/** What is refused while a merchant takes payments: kinds nobody serves in this installation (spec/contract.md 11.2). */
export function refuseUnavailable(kinds: readonly string[]): void {
  if (kinds.length === 0) return;
  throw new DomainError("provider_kind_not_available", "provider kind not available in this installation", {
    details: [...new Set(kinds)],
  });
}

function acceptProvider(ctx: Context, input: NewProvider) {
  const id = newId();
  const { kind, members } = acceptCredentials(ctx.account, input.credentials);
  return {
    id,
    name: input.name,
    priority: input.priority,
    kind,
    ...sealed(id, members),
    options: optionsFor(kind, input.options),
    acquirer: acquirerFrom(input.acquirer),
    routable: isRoutable(kind),
  };
}

/** What other credentials answered says nothing of these. */
const UNTESTED = { testedAt: null, testPassed: null, testWords: null } as const;

const sealed = (providerId: string, members: Record<string, string>) => ({
  credentials: sealCredentials(providerId, members),
  credentialMembers: Object.keys(members),
});

/** Complete, with the defaults of the kind: adapters and answers read the same. */
function optionsFor(kind: RegistrableKind, given: unknown): Record<string, unknown> | null {
  const options = takeOrRefuse(checkOptions(optionsRuleOf(kind), given));
  return options ? { ...options } : null;
}

function acquirerFrom(given: unknown): Record<string, unknown> | null {
  const acquirer = takeOrRefuse(checkAcquirer(given));
  return acquirer ? { ...acquirer } : null;
}

function takeOrRefuse<T>(checked: Result<T>): T {
  if (!checked.ok) throw invalid(...problemLines(checked.errors));
  return checked.value;
}

export async function updateProvider(ctx: Context, id: string, changes: ProviderChanges): Promise<ProviderRow> {
  const { name, priority, credentials, options, acquirer, paused } = changes;
  const isSecret = [credentials, options, acquirer, paused].some((member) => member !== undefined);
  if (isSecret && publicKeyOf(ctx) !== undefined) throw forbidden();
  return inTransaction(ctx, async (inside) => {
    const stored = await lockProvider(inside, id);
    if (!stored) throw notFound("provider");
    const before = storedCredentials(stored);
    const after = credentials && changeCredentials(inside.account, before, credentials);
    const [changed] = await inside.db
      .update(providers)
      .set({
        name,
        priority,
        ...(after ? { ...sealed(id, after.members), ...UNTESTED } : {}),
        ...(options === undefined ? {} : { options: optionsFor(before.kind, options) }),
        ...(acquirer === undefined ? {} : { acquirer: acquirerFrom(acquirer) }),
        ...(paused === undefined ? {} : { pausedAt: paused ? (stored.pausedAt ?? now(inside)) : null }),
        updatedAt: now(inside),
      })
      .where(eq(providers.id, id))
      .returning();
    if (!changed) throw new Error("a locked row is there to be changed");
    await audit(inside, {
      action: "provider.update",
      object: "provider",
      objectId: id,
      before: shown(stored),
      after: { ...shown(changed), ...(after ? { changedCredentials: differing(before, after) } : {}) },
    });
    return changed;
  });
}

/** New credentials for a stored provider, checked and sealed, and the names of what is new in them. */
export function changedCredentials(
  ctx: Context,
  stored: ProviderRow,
  credentials: NonNullable<ProviderChanges["credentials"]>,
): { sealed: Buffer; members: string[]; changed: string[] } {
  const before = storedCredentials(stored);
  const after = changeCredentials(ctx.account, before, credentials);
  const { credentials: bytes, credentialMembers } = sealed(stored.id, after.members);
  return { sealed: bytes, members: credentialMembers, changed: differing(before, after) };
}

function storedCredentials(row: ProviderRow): AcceptedCredentials {
  const kind = registrableKind(row.kind);
  if (!kind) throw new Error("a stored provider is of a known kind");
  return { kind, members: { ...openCredentials(row.id, row.credentials).reveal() } };
}

/** Names alone: the values are nobody's to read. */
const differing = (before: AcceptedCredentials, after: AcceptedCredentials): string[] =>
  [...new Set([...Object.keys(before.members), ...Object.keys(after.members)])].filter(
    (name) => before.members[name] !== after.members[name],
  );

const shown = ({ name, kind, priority, options, acquirer, pausedAt }: ProviderRow): Record<string, unknown> => ({
  name,
  ...(pausedAt ? { paused: true } : {}),
  kind,
  priority,
  options,
  acquirer,
});

/** No new payments through it; charges made through it keep working. */
export async function removeProvider(ctx: Context, id: string, { force = false } = {}): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const stored = await lockProvider(inside, id);
    if (!stored) throw notFound("provider");
    const naming = force ? [] : await flowsNaming(inside, id);
    if (naming.length > 0) {
      throw new DomainError("provider_in_use", "an active flow names the provider", {
        details: naming.map((flow) => `${flow.id}: ${flow.name}`),
      });
    }
    const at = now(inside);
    await inside.db.update(providers).set({ deletedAt: at, updatedAt: at }).where(eq(providers.id, id));
    await audit(inside, { action: "provider.delete", object: "provider", objectId: id, before: shown(stored) });
  });
}

/** A merchant may take payments again when at least one of its payment providers can be reached. */
export function refuseUnreachable(rows: readonly ProviderRow[]): void {
  const payable = rows.filter(({ kind }) => isPaymentKind(kind));
  if (payable.some(({ routable }) => routable)) return;
  refuseUnavailable(payable.map(({ kind }) => kind));
}
