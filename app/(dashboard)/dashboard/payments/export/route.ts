import { getLocale, getTranslations } from "next-intl/server";
import { declineWords } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { paymentWords, shownItem } from "@/app/(dashboard)/dashboard/payments/words";
import { type CsvColumn, csvTable } from "@/app/(dashboard)/list-csv";
import { givenIn, severalOf } from "@/app/(dashboard)/list-url";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { kindName } from "@/components/merchants/provider-names";
import { audit } from "@/lib/audit";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { payersOf } from "@/lib/charges/payer";
import { inSnapshot, inTransaction, now } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { type ListedItem, listPayments } from "@/lib/search/payments";
import { purchaseDocumentsOf } from "@/lib/search/purchase-documents";
import { nsusOf } from "@/lib/search/receipts";

const ROWS_AT_A_TIME = 500;

/** What the list shows with these filters, in its order, or of that what was chosen; buyers as the person's role sees them. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "payments.see")) return new Response(null, { status: 404 });
  const given = givenIn(request);
  const named = severalOf(given, "id");
  const chosen = new Set(named.filter(isUuid));
  // Names of nothing choose nothing: the whole list is what nobody asked for.
  const isChosen = named.length > 0;
  const filters = {
    ...paymentFilters(given, saoPauloDay(now(ctx)), await getLocale()),
    limit: ROWS_AT_A_TIME,
    before: undefined,
  };
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
  return csvTable<ExportedItem>({
    name: "payments",
    now: now(ctx),
    columns: await columnsOf(),
    page: async (after) => {
      const page = await listPayments(ctx, role, { ...filters, after }, { isCounted: false });
      // Of chosen rows, read no further than to the last of them.
      const items = isChosen ? page.items.filter(({ id }) => chosen.delete(id)) : page.items;
      const nsus = await nsusOf(ctx, items);
      const payers = await inSnapshot(ctx, (inside) =>
        payersOf(
          inside,
          role,
          items.flatMap(({ id, buyer }) => (buyer ? [] : [id])),
        ),
      );
      const documents = await purchaseDocumentsOf(
        ctx,
        role,
        items.flatMap(({ kind, id, buyer }) => (buyer || kind === "charge" ? [] : [id])),
      );
      return {
        items: items.map((item) => ({
          ...item,
          nsus: nsus.get(item.id) ?? [],
          email: payers.get(item.id)?.email,
          document: payers.get(item.id)?.document ?? documents.get(item.id),
        })),
        next: isChosen && chosen.size === 0 ? undefined : page.next,
      };
    },
  });
}

type ExportedItem = ListedItem & {
  nsus: readonly string[];
  /** As typed on a link, where no customer was made of whoever paid. */
  email: string | undefined;
  document: string | undefined;
};

async function columnsOf(): Promise<CsvColumn<ExportedItem>[]> {
  const [words, reasons, t, inList] = await Promise.all([
    paymentWords(),
    declineWords(),
    getTranslations("exports"),
    getTranslations("payments"),
  ]);
  const currency = (item: ListedItem): string => item.currency;
  return [
    { label: t("paymentId"), cell: ({ id }) => id },
    { label: t("createdAt"), moment: ({ createdAt }) => createdAt },
    { label: t("status"), cell: (item) => (item.needsReview ? inList("review") : words.item(item)) },
    { label: t("capturedAt"), moment: ({ capturedAt }) => capturedAt },
    { label: t("amount"), cents: ({ originalAmount }) => originalAmount, currency },
    { label: t("captured"), cents: ({ capturedAmount }) => capturedAmount, currency },
    { label: t("refunded"), cents: ({ refundedAmount }) => refundedAmount, currency },
    { label: t("chargedBack"), cents: ({ chargedBackAmount }) => chargedBackAmount, currency },
    { label: t("currency"), cell: currency },
    { label: t("method"), cell: (item) => words.method(item.kind === "charge" ? item.method : "credit") },
    { label: t("card"), cell: cardOf },
    {
      label: t("installments"),
      cell: (item) => (item.kind === "charge" ? String(item.installments ?? "") : ""),
      isNumber: true,
    },
    { label: t("buyerName"), cell: ({ buyer, holder }) => (buyer ? buyer.name : (holder ?? "")) },
    { label: t("buyerEmail"), cell: ({ buyer, email }) => buyer?.email ?? email ?? "" },
    { label: t("document"), cell: ({ buyer, document }) => buyer?.document ?? document ?? "" },
    { label: t("orderId"), cell: ({ orderId }) => orderId ?? "" },
    { label: t("merchant"), cell: ({ merchant }) => merchant ?? "" },
    { label: t("provider"), cell: ({ provider }) => (provider ?? "").split(", ").map(kindName).join(", ") },
    { label: t("providerName"), cell: ({ connection }) => connection ?? "" },
    { label: t("nsu"), cell: ({ nsus }) => nsus.join(" + ") },
    { label: t("declineCode"), cell: ({ declineCode }) => declineCode ?? "" },
    { label: t("declineReason"), cell: ({ declineCode }) => (declineCode ? reasons(declineCode) : "") },
    { label: t("linkId"), cell: ({ link }) => link?.id ?? "" },
  ];
}

function cardOf(item: ListedItem): string {
  if (item.kind === "purchase") return shownItem(item).cards.join(" + ");
  return item.card ? [item.card.brand, item.card.lastFour].join(" ") : "";
}
