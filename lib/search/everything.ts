import { sql } from "drizzle-orm";
import { folded, foldedSql } from "@/db/folded";
import { isAnswered } from "@/lib/charges/search";
import { type Context, now, sqlState } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { beginsWith, SHORTEST_BEGINNING } from "@/lib/search/beginnings";
import { customersLike, LONG_PATIENCE_MS, readable } from "@/lib/search/buyers";
import {
  type FoundLink,
  type FoundProvider,
  type FoundSubscription,
  findLinks,
  findProviders,
  findSubscriptions,
} from "@/lib/search/called";
import { type ClueKind, readClues } from "@/lib/search/clues";
import { inPatience } from "@/lib/search/patience";
import { type ListedItem, listPayments } from "@/lib/search/payments";
import { sellersLike } from "@/lib/search/sellers";

export interface FoundMerchant {
  id: string;
  name: string | null;
}

export interface FoundFlow {
  id: string;
  name: string;
  version: string;
}

export interface FoundSeller {
  id: string;
  name: string;
  email: string;
}

export interface FoundThings {
  payments: ListedItem[];
  customers: Buyer[];
  links: FoundLink[];
  subscriptions: FoundSubscription[];
  merchants: FoundMerchant[];
  providers: FoundProvider[];
  sellers: FoundSeller[];
  flows: FoundFlow[];
  /** What the text was taken for. */
  readAs: ClueKind[];
  /** Some kind of thing took too long and was left out. */
  isPartial: boolean;
}

const EACH = 5;
/** One slow kind of thing never holds up the others; what was left out is asked for again by whoever can wait. */
const SHORT_PATIENCE_MS = 120;
const CANCELED = "57014";
const NOTHING: FoundThings = {
  payments: [],
  customers: [],
  links: [],
  subscriptions: [],
  merchants: [],
  providers: [],
  sellers: [],
  flows: [],
  readAs: [],
  isPartial: false,
};

/** One text against everything the person may see; recent payments when nothing is typed. */
export async function searchEverything(
  ctx: Context,
  role: OperatorRole,
  typed: string,
  { isPatient = false }: { isPatient?: boolean } = {},
): Promise<FoundThings> {
  const patienceMs = isPatient ? LONG_PATIENCE_MS : SHORT_PATIENCE_MS;
  const text = readable(typed);
  if (!may(role, "payments.see")) return NOTHING;
  let isPartial = false;
  const inTime = async <T>(find: () => Promise<T[]>): Promise<T[]> => {
    try {
      return await find();
    } catch (thrown) {
      if (sqlState(thrown) !== CANCELED) throw thrown;
      isPartial = true;
      return [];
    }
  };
  const ifMay = <T>(right: Right, find: () => Promise<T[]>): Promise<T[]> =>
    may(role, right) ? inTime(find) : Promise.resolve([]);
  const [payments, customers, links, subscriptions, merchants, providers, flows, sellers] = await Promise.all([
    inTime(() => findPayments(ctx, role, text, patienceMs)),
    inTime(() => findCustomers(ctx, role, text, patienceMs)),
    inTime(() => findLinks(ctx, text, patienceMs)),
    ifMay("subscriptions.see", () => findSubscriptions(ctx, role, text, patienceMs)),
    ifMay("merchants.see", () => findMerchants(ctx, text, patienceMs)),
    ifMay("merchants.see", () => findProviders(ctx, text, patienceMs)),
    ifMay("flows.see", () => findFlows(ctx, text, patienceMs)),
    ifMay("sellers.see", () => findSellers(ctx, role, text, patienceMs)),
  ]);
  const readAs = (readClues(text, now(ctx))?.readAs ?? []).filter((kind) => isAnswered(role, kind));
  return { payments, customers, links, subscriptions, merchants, providers, sellers, flows, readAs, isPartial };
}

/** What is exactly so first, then what begins so; charges and purchases alike. */
async function findPayments(ctx: Context, role: OperatorRole, text: string, patienceMs: number): Promise<ListedItem[]> {
  const few = { isCounted: false, patienceMs };
  const exact = (await listPayments(ctx, role, { ...(text ? { search: text } : {}), limit: EACH }, few)).items;
  if (text.length < SHORTEST_BEGINNING || exact.length >= EACH) return exact;
  const rows = await rowsWithin(
    ctx,
    patienceMs,
    (client) => sql`
      (select coalesce(purchase_id, id) as id from charges where client_id = ${client} and order_id is not null
         and ${beginsWith(sql.raw("order_id"), text)} limit ${EACH})
      union
      (select id from purchases where client_id = ${client} and order_id is not null
         and ${beginsWith(sql.raw("order_id"), text)} limit ${EACH})
      union
      (select coalesce(c.purchase_id, c.id) from charges c join (
         select charge_id from transaction_requests where client_id = ${client} and charge_id is not null
            and transaction_id is not null and ${beginsWith(sql.raw("transaction_id"), text)} limit ${EACH}) a
           on a.charge_id = c.id)`,
  );
  const known = new Set(exact.map(({ id }) => id));
  const ids = rows.flatMap(({ id }) => (typeof id === "string" && !known.has(id) ? [id] : []));
  if (ids.length === 0) return exact;
  const more = (await listPayments(ctx, role, { ids, limit: EACH }, few)).items;
  return [...exact, ...more].slice(0, EACH);
}

/**
 * Any part of a name or an e-mail. Row security would keep the trigram index out of reach (its operators are not
 * leakproof), so the ids are looked up beside it, by the account's own key of that index; the rows are read behind it.
 */
async function findCustomers(ctx: Context, role: OperatorRole, text: string, patienceMs: number): Promise<Buyer[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  const ids = await customersLike(ctx, role, text, EACH, patienceMs);
  if (ids.length === 0) return [];
  const rows = await rowsWithin(
    ctx,
    patienceMs,
    (client) => sql`
      select id, name, email, document_number from customers
       where client_id = ${client} and deleted_at is null and id = any(${`{${ids.join(",")}}`}::uuid[])
       order by created_at desc`,
  );
  return rows.flatMap(
    (row) =>
      shownBuyer(role, {
        id: String(row.id),
        name: String(row.name),
        email: String(row.email),
        documentNumber: row.document_number === null ? null : String(row.document_number),
      }) ?? [],
  );
}

async function findSellers(ctx: Context, role: OperatorRole, text: string, patienceMs: number): Promise<FoundSeller[]> {
  const ids = await sellersLike(ctx, role, text, EACH, patienceMs);
  if (ids.length === 0) return [];
  const rows = await rowsWithin(
    ctx,
    patienceMs,
    (client) => sql`
      select id, owner_name, business_name, coalesce(business_email, owner_email) as email from sellers
       where client_id = ${client} and deleted_at is null and id = any(${`{${ids.join(",")}}`}::uuid[])
       order by created_at desc`,
  );
  return rows.flatMap((row) => {
    const person = { id: String(row.id), name: String(row.owner_name), email: String(row.email), documentNumber: null };
    const shown = shownBuyer(role, person);
    // What a company is called is no person's name.
    return shown
      ? [
          {
            id: shown.id,
            name: row.business_name === null ? shown.name : String(row.business_name),
            email: shown.email,
          },
        ]
      : [];
  });
}

async function findMerchants(ctx: Context, text: string, patienceMs: number): Promise<FoundMerchant[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  const rows = await rowsWithin(
    ctx,
    patienceMs,
    (client) => sql`
      select id, name from merchants where client_id = ${client} and deleted_at is null
         and (${isUuid(text) ? sql`id = ${text}::uuid` : sql`strpos(${foldedSql(sql`name`)}, ${folded(text)}) > 0`})
       limit ${EACH}`,
  );
  return rows.map((row) => ({ id: String(row.id), name: row.name === null ? null : String(row.name) }));
}

/** The newest version of each, active ones first. */
async function findFlows(ctx: Context, text: string, patienceMs: number): Promise<FoundFlow[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  const rows = await rowsWithin(
    ctx,
    patienceMs,
    (client) => sql`
      select distinct on (status = 'active', family_id) id, name, major || '.0.' || patch as version from flows
       where client_id = ${client} and status <> 'archived'
         and (${isUuid(text) ? sql`id = ${text}::uuid` : sql`strpos(${foldedSql(sql`name`)}, ${folded(text)}) > 0`})
       order by (status = 'active') desc, family_id, major desc limit ${EACH}`,
  );
  return rows.map((row) => ({ id: String(row.id), name: String(row.name), version: String(row.version) }));
}

const rowsWithin = (ctx: Context, patienceMs: number, query: (clientId: string) => ReturnType<typeof sql>) =>
  inPatience(ctx, patienceMs, (db, client) => db.execute<Record<string, unknown>>(query(client)));
