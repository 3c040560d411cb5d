import { getTranslations } from "next-intl/server";
import { reviewWords } from "@/app/(dashboard)/dashboard/reviews/words";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { takesOf } from "@/lib/insights/takes";
import { type WaitingForPeople, type WaitingPosition, waitingAfter } from "@/lib/insights/waiting";
import { may } from "@/lib/operators/permissions";

export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "payments.see")) return new Response(null, { status: 404 });
  const [t, words] = await Promise.all([getTranslations("exports"), reviewWords()]);
  return csvOfList<WaitingForPeople & { takenBy: string }, WaitingPosition>(ctx, {
    name: "reviews",
    columns: [
      { label: t("paymentId"), cell: ({ id }) => id },
      { label: t("kind"), cell: ({ kind }) => words.kind(kind) },
      { label: t("orderId"), cell: ({ orderId }) => orderId ?? "" },
      { label: t("reason"), cell: words.why },
      { label: t("amount"), cents: ({ amount }) => amount, currency: ({ currency }) => currency },
      { label: t("currency"), cell: ({ currency }) => currency },
      { label: t("since"), moment: ({ since }) => since },
      { label: t("takenBy"), cell: ({ takenBy }) => takenBy },
    ],
    async page(after) {
      const { items, next } = await waitingAfter(ctx, role, { after, limit: ROWS_AT_A_TIME });
      const takes = await takesOf(
        ctx,
        items.map(({ id }) => id),
      );
      return { items: items.map((item) => ({ ...item, takenBy: takes.get(item.id)?.name ?? "" })), next };
    },
  });
}
