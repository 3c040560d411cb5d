import { systemSql } from "@/db/client";
import { LONGEST_SEARCH } from "@/lib/charges/search-terms";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { SHORTEST_BEGINNING } from "@/lib/search/beginnings";

export const LONG_PATIENCE_MS = 5_000;
const DIGITS_ONLY = /^[\d.\-/]+$/;
const LIKE_SIGNS = /[%_\\]/g;

/** Without the one sign that PostgreSQL takes in no text. */
export const readable = (typed: string): string => typed.replaceAll("\0", "").trim().slice(0, LONGEST_SEARCH);

/** Ids of customers whose id or document it is, or whose name or e-mail it is a part of. */
export async function customersLike(
  ctx: Context,
  typed: string,
  most: number,
  patienceMs = LONG_PATIENCE_MS,
): Promise<string[]> {
  const text = readable(typed);
  if (isUuid(text)) return [text];
  return DIGITS_ONLY.test(text)
    ? idsOf(ctx, "document", text.replaceAll(/\D/g, ""), most, patienceMs)
    : idsOf(ctx, "words", text.toLowerCase(), most, patienceMs);
}

async function idsOf(
  ctx: Context,
  by: "document" | "words",
  text: string,
  most: number,
  patienceMs: number,
): Promise<string[]> {
  if (text.length < SHORTEST_BEGINNING) return [];
  return systemSql().begin(async (tx) => {
    await tx`select set_config('statement_timeout', ${String(patienceMs)}, true)`;
    const rows =
      by === "document"
        ? await tx<{ id: string }[]>`
            select id from customers where client_id = ${ctx.account.id} and document_number = ${text}
             and deleted_at is null order by created_at desc limit ${most}`
        : await tx<{ id: string }[]>`
            select id from customers where client_id = ${ctx.account.id} and deleted_at is null
             and lower(name || ' ' || email) like ${`%${text.replaceAll(LIKE_SIGNS, "\\$&")}%`} limit ${most}`;
    return rows.map(({ id }) => id);
  });
}
