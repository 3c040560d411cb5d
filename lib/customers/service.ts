import { and, eq, isNull } from "drizzle-orm";
import { cards, customers, type PostalAddress } from "@/db/schema/customers";
import { audit } from "@/lib/audit";
import { type Context, now, publicKeyOf } from "@/lib/context";
import { documentColumns } from "@/lib/customers/document";
import { type CustomerRow, findCustomer, lockCustomer, membersInUse } from "@/lib/customers/queries";
import type { CustomerChange, NewBuyer, NewCustomer } from "@/lib/customers/schema";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";

export type { CustomerRow } from "@/lib/customers/queries";

type CustomerMembers = Omit<NewCustomer, "billingAddress" | "deliveryAddress"> & Partial<NewCustomer>;

/** E-mail and document are each unique in the account; with force the customer neither asks nor counts. */
export async function createCustomer(
  ctx: Context,
  input: CustomerMembers,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<CustomerRow> {
  const row = newRow(ctx, input, force);
  // The unique indexes decide: of any number that race for one e-mail, one is inserted.
  const [created] = await ctx.db.insert(customers).values(row).onConflictDoNothing().returning();
  if (created) return created;
  const members = await membersInUse(ctx, row);
  throw new DomainError("customer_already_exists", "a customer with this e-mail or document exists", {
    details: members.map((member) => `${member}: in use by another customer`),
  });
}

/** The one-shot buyer of a payment: saved, never compared with the others. */
export async function createBuyer(ctx: Context, input: NewBuyer): Promise<CustomerRow> {
  const row = newRow(ctx, { ...input, name: input.name ?? input.email }, true);
  const [created] = await ctx.db.insert(customers).values(row).returning();
  if (!created) throw new Error("the buyer was not written");
  return created;
}

const newRow = (ctx: Context, input: CustomerMembers, isForced: boolean) => ({
  id: newId(),
  clientId: ctx.account.id,
  name: input.name,
  email: input.email,
  phoneNumber: input.phoneNumber,
  ...documentColumns(ctx, input.document),
  address: postal(input.address) ?? null,
  billingAddress: postal(input.billingAddress) ?? null,
  deliveryAddress: postal(input.deliveryAddress) ?? null,
  isForced,
  createdByKey: publicKeyOf(ctx) ?? null,
  createdAt: now(ctx),
  updatedAt: now(ctx),
});

const postal = (given: NewCustomer["billingAddress"]): PostalAddress | undefined =>
  given && Object.fromEntries(Object.entries(given).map(([member, value]) => [member, value ?? null]));

/** The customer a body names. */
export async function getCustomer(ctx: Context, id: string): Promise<CustomerRow> {
  const customer = await findCustomer(ctx, id);
  if (!customer) throw new DomainError("customer_not_found", "the customer does not exist");
  return customer;
}

/** The customer of a path: unknown, deleted and another client's are alike. */
export async function customerAt(ctx: Context, id: string): Promise<CustomerRow> {
  const customer = await findCustomer(ctx, id);
  if (!customer) throw notFound("customer");
  return customer;
}

export async function lockCustomerAt(ctx: Context, id: string): Promise<CustomerRow> {
  const customer = await lockCustomer(ctx, id);
  if (!customer) throw notFound("customer");
  return customer;
}

/** A public key edits what it made itself; for it the others are not there (spec/contract.md 1.7). */
export function demandOwn({ principal }: Context, { createdByKey }: CustomerRow): void {
  if (principal.kind === "public" && createdByKey !== principal.publicKey) throw notFound("customer");
}

export async function updateCustomer(ctx: Context, id: string, change: CustomerChange): Promise<CustomerRow> {
  const customer = await lockCustomerAt(ctx, id);
  demandOwn(ctx, customer);
  if (change.defaultCardId) await checkDefaultCard(ctx, customer.id, change.defaultCardId);
  const [changed] = await ctx.db
    .update(customers)
    // Members left undefined are left as they are.
    .set({
      name: change.name,
      phoneNumber: change.phoneNumber,
      address: postal(change.address),
      billingAddress: postal(change.billingAddress),
      deliveryAddress: postal(change.deliveryAddress),
      defaultCardId: change.defaultCardId,
      updatedAt: now(ctx),
    })
    .where(and(eq(customers.clientId, ctx.account.id), eq(customers.id, id)))
    .returning();
  if (!changed) throw new Error("a locked customer was not updated");
  return changed;
}

async function checkDefaultCard(ctx: Context, customerId: string, cardId: string): Promise<void> {
  const [card] = await ctx.db
    .select({ customerId: cards.customerId, status: cards.status })
    .from(cards)
    .where(and(eq(cards.clientId, ctx.account.id), eq(cards.id, cardId), isNull(cards.deletedAt)));
  if (!card) throw new DomainError("card_not_found", "the card does not exist");
  if (card.customerId !== customerId) throw invalid("defaultCardId: must be a card linked to this customer");
  if (card.status === "failed") throw new DomainError("card_not_usable", "the card cannot be used");
}

/** Frees e-mail and document, deletes the cards. */
export async function deleteCustomer(ctx: Context, id: string): Promise<void> {
  await lockCustomerAt(ctx, id);
  const at = now(ctx);
  await ctx.db
    .update(cards)
    .set({ customerId: null, linkedAt: null, deletedAt: at, deletedReason: "customer deleted", updatedAt: at })
    .where(and(eq(cards.clientId, ctx.account.id), eq(cards.customerId, id), isNull(cards.deletedAt)));
  await ctx.db
    .update(customers)
    .set({ deletedAt: at, defaultCardId: null, updatedAt: at })
    .where(and(eq(customers.clientId, ctx.account.id), eq(customers.id, id)));
  await audit(ctx, { action: "customer.delete", object: "customer", objectId: id });
}
