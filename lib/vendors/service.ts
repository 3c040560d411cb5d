import { and, eq } from "drizzle-orm";
import type { PostalAddress } from "@/db/schema/customers";
import { vendors } from "@/db/schema/vendors";
import { audit } from "@/lib/audit";
import { normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import { type Context, now, violatedConstraint } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { findVendor, type VendorRow } from "@/lib/vendors/queries";
import { identityProblem, type NewVendor, type VendorChange } from "@/lib/vendors/schema";

export async function createVendor(ctx: Context, input: NewVendor): Promise<VendorRow> {
  refuseIdentity(input);
  const at = now(ctx);
  const [created] = await ctx.db
    .insert(vendors)
    .values({
      id: newId(),
      clientId: ctx.account.id,
      ...input,
      address: withNulls(input.address),
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning();
  if (!created) throw taken();
  await audit(ctx, { action: "vendor.create", object: "vendor", objectId: created.id, after: shown(created) });
  return created;
}

/** Unknown, deleted or another client's: 404. */
export async function vendorAt(ctx: Context, id: string, lock?: "update"): Promise<VendorRow> {
  const vendor = await findVendor(ctx, id, lock);
  if (!vendor) throw notFound("vendor");
  return vendor;
}

/** Only the members sent change, those of the address too. */
export async function updateVendor(ctx: Context, id: string, change: VendorChange): Promise<VendorRow> {
  const before = await vendorAt(ctx, id, "update");
  const after = {
    identityType: change.identityType ?? before.identityType,
    identity: change.identity === undefined ? before.identity : normalizeTaxId(change.identity),
  };
  refuseIdentity(after);
  const [changed] = await ctx.db
    .update(vendors)
    .set({
      ...change,
      ...after,
      address: { ...before.address, ...sent(change.address) },
      updatedAt: now(ctx),
    })
    .where(and(eq(vendors.clientId, ctx.account.id), eq(vendors.id, id)))
    .returning()
    .catch((thrown: unknown) => {
      throw violatedConstraint(thrown) === "vendors_reference" ? taken() : thrown;
    });
  if (!changed) throw new Error("a locked row is there to be changed");
  await audit(ctx, {
    action: "vendor.update",
    object: "vendor",
    objectId: id,
    before: shown(before),
    after: shown(changed),
  });
  return changed;
}

/** Payments that name it keep what they say of it. */
export async function deleteVendor(ctx: Context, id: string): Promise<void> {
  const vendor = await vendorAt(ctx, id, "update");
  await ctx.db
    .update(vendors)
    .set({ deletedAt: now(ctx), updatedAt: now(ctx) })
    .where(and(eq(vendors.clientId, ctx.account.id), eq(vendors.id, id)));
  await audit(ctx, { action: "vendor.delete", object: "vendor", objectId: id, before: shown(vendor) });
}

/** As a payment or an order carries it. */
export interface NamedVendor {
  id: string;
  paymentFacilitatorId: string | null;
}

/** The vendor that a body names, if it names one. */
export async function requireVendor(
  ctx: Context,
  given: { id: string; paymentFacilitatorId?: string | null | undefined } | undefined,
): Promise<NamedVendor | null> {
  if (!given) return null;
  if (!(await findVendor(ctx, given.id))) throw new DomainError("vendor_not_found", "the vendor does not exist");
  return { id: given.id, paymentFacilitatorId: given.paymentFacilitatorId ?? null };
}

function refuseIdentity({ identityType, identity }: Pick<VendorRow, "identityType" | "identity">): void {
  const problem = identityProblem(identityType, identity);
  if (problem) throw invalid(problem);
}

const taken = (): DomainError => new DomainError("vendor_already_exists", "a vendor with this referenceId exists");

const withNulls = (address: NewVendor["address"]): PostalAddress => ({
  ...address,
  complement: address.complement ?? null,
});

const sent = (address: VendorChange["address"]): PostalAddress =>
  Object.fromEntries(
    Object.entries(address ?? {}).flatMap(([member, value]) => (value === undefined ? [] : [[member, value]])),
  );

/** Without what says whose it is. */
const shown = ({ referenceId, identityType, mcc }: VendorRow) => ({ referenceId, identityType, mcc });
