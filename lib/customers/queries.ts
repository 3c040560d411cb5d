import { and, asc, desc, eq, isNull, not, or, type SQL, sql } from "drizzle-orm";
import { customers } from "@/db/schema/customers";
import { findRows } from "@/db/statements";
import { normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import { type Context, publicKeyOf } from "@/lib/context";
import type { CustomerFilters } from "@/lib/customers/schema";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";

export type CustomerRow = typeof customers.$inferSelect;

const ownedBy = (ctx: Context): SQL => eq(customers.clientId, ctx.account.id);

/** A session's key has the buyer it is bound to, too. */
const createdBy = (ctx: Context): SQL | undefined => {
  const key = publicKeyOf(ctx);
  if (key === undefined) return undefined;
  const own = eq(customers.createdByKey, key);
  const bound = ctx.principal.kind === "session" ? ctx.principal.customerId : null;
  return bound === null ? own : or(own, eq(customers.id, bound));
};

/** A session's key reaches what it created; every other key all customers of its account. */
const reachable = (ctx: Context): SQL | undefined =>
  and(ownedBy(ctx), isNull(customers.deletedAt), ctx.principal.kind === "session" ? createdBy(ctx) : undefined);

export async function findCustomer(ctx: Context, id: string): Promise<CustomerRow | undefined> {
  if (ctx.principal.kind !== "session") {
    const [known] = await findRows(ctx.db, customers, { clientId: ctx.account.id, id, deletedAt: null });
    return known;
  }
  const [row] = await ctx.db
    .select()
    .from(customers)
    .where(and(reachable(ctx), eq(customers.id, id)));
  return row;
}

/** Deleted ones included: a payment keeps its buyer. */
export async function findCustomerOrGone(ctx: Context, id: string): Promise<CustomerRow | undefined> {
  const [row] = await findRows(ctx.db, customers, { clientId: ctx.account.id, id });
  return row;
}

/** Locks the row until the transaction ends: links and the default card change under it. */
export async function lockCustomer(ctx: Context, id: string): Promise<CustomerRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(customers)
    .where(and(reachable(ctx), eq(customers.id, id)))
    .for("update");
  return row;
}

export async function listCustomers(ctx: Context, filters: CustomerFilters): Promise<Paged<CustomerRow>> {
  const where = and(
    ownedBy(ctx),
    isNull(customers.deletedAt),
    createdBy(ctx),
    filters.id ? eq(customers.id, filters.id) : undefined,
    filters.email === undefined ? undefined : eq(customers.email, filters.email),
    typeFilter(filters["document.type"]),
    numberFilter(filters["document.number"]),
  );
  const order = directionOf(filters) === "asc" ? asc : desc;
  const rows = await ctx.db
    .select({ row: customers, totalItems: sql`count(*) over ()`.mapWith(Number) })
    .from(customers)
    .where(where)
    .orderBy(order(customers.createdAt), order(customers.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  // A page past the end carries no row that could tell the total.
  const totalItems = rows[0]?.totalItems ?? (await ctx.db.$count(customers, where));
  return { items: rows.map(({ row }) => row), totalItems };
}

const typeFilter = (type: string | undefined): SQL | undefined =>
  type === undefined ? undefined : eq(sql`lower(${customers.documentType})`, type.toLowerCase());

/** As stored, and as a CPF or CNPJ is stored when it is asked for with its mask. */
const numberFilter = (number: string | undefined): SQL | undefined =>
  number === undefined
    ? undefined
    : or(eq(customers.documentNumber, number), eq(customers.documentNumber, normalizeTaxId(number)));

type Identity = Pick<CustomerRow, "email" | "documentType" | "documentNumber" | "documentCountry">;

/** Which of these two another customer holds; one made with force holds neither. */
export async function membersInUse(ctx: Context, wanted: Identity): Promise<("email" | "document")[]> {
  const sameEmail = eq(customers.email, wanted.email);
  const sameDocument = and(
    eq(sql`lower(${customers.documentType})`, wanted.documentType.toLowerCase()),
    eq(customers.documentNumber, wanted.documentNumber ?? ""),
    eq(customers.documentCountry, wanted.documentCountry),
  );
  const [used] = await ctx.db
    .select({
      email: sql<boolean | null>`bool_or(${sameEmail})`,
      document: sql<boolean | null>`bool_or(${sameDocument})`,
    })
    .from(customers)
    .where(and(ownedBy(ctx), isNull(customers.deletedAt), not(customers.isForced), or(sameEmail, sameDocument)));
  return (["email", "document"] as const).filter((member) => used?.[member] === true);
}
