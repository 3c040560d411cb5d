import { getTranslations } from "next-intl/server";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { paymentWords, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import { csvFile } from "@/app/(dashboard)/list-csv";
import { givenIn } from "@/app/(dashboard)/list-url";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { audit } from "@/lib/audit";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction, now } from "@/lib/context";
import { csvLine } from "@/lib/csv";
import { centsToDecimal } from "@/lib/money";
import { may } from "@/lib/operators/permissions";
import { type ListedItem, listPayments } from "@/lib/search/payments";

const ROWS_AT_A_TIME = 500;
const COLUMNS = [
  "id",
  "created_at",
  "status",
  "amount",
  "refunded",
  "currency",
  "method",
  "card",
  "installments",
  "buyer_name",
  "buyer_email",
  "order",
  "merchant",
  "provider",
  "decline_code",
  "decline_reason",
  "link",
] as const;

/** What the list shows with these filters, in its order, times in UTC; buyers as the person's role sees them. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "payments.see")) return new Response(null, { status: 404 });
  const given = givenIn(request);
  const filters = { ...paymentFilters(given, saoPauloDay(now(ctx))), limit: ROWS_AT_A_TIME, before: undefined };
  const [words, reasons, t] = await Promise.all([paymentWords(), declineWords(), getTranslations("payments")]);
  // The policies of somebody limited to some merchants let nothing be written.
  const { merchants: _merchants, ...unlimited } = ctx;
  await inTransaction(unlimited, (inside) =>
    audit(inside, {
      action: "payments.export",
      object: "account",
      objectId: ctx.account.id,
      after: { filters: new URL(request.url).searchParams.toString() },
    }),
  );
  const cellsOf = (item: ListedItem): Record<(typeof COLUMNS)[number], string> => ({
    id: item.id,
    created_at: item.createdAt.toISOString(),
    status: item.needsReview ? t("review") : words.item(item),
    amount: centsToDecimal(item.originalAmount),
    refunded: centsToDecimal(item.refundedAmount),
    currency: item.currency,
    method: item.kind === "charge" ? words.method(item.method) : words.method("credit"),
    card:
      item.kind === "purchase"
        ? shownItem(item).cards.join(" + ")
        : item.card
          ? [item.card.brand, item.card.lastFour].join(" ")
          : "",
    installments: item.kind === "charge" ? String(item.installments ?? "") : "",
    buyer_name: item.buyer ? item.buyer.name : (item.holder ?? ""),
    buyer_email: item.buyer?.email ?? "",
    order: item.orderId ?? "",
    merchant: item.merchant ?? "",
    provider: item.provider ?? "",
    decline_code: item.declineCode ?? "",
    decline_reason: item.declineCode ? reasons(item.declineCode) : "",
    link: item.link?.id ?? "",
  });
  return csvFile<string>({
    name: "payments",
    head: csvLine(COLUMNS),
    async page(after) {
      const { items, next } = await listPayments(ctx, role, { ...filters, after }, { isCounted: false });
      const lines = items.map((item) => {
        const cells = cellsOf(item);
        return csvLine(COLUMNS.map((column) => cells[column]));
      });
      return { text: lines.join(""), next };
    },
  });
}
