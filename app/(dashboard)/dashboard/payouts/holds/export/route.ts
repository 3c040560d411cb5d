import { getTranslations } from "next-intl/server";
import { holdWords } from "@/app/(dashboard)/dashboard/payouts/holds/words";
import { csvOfList } from "@/app/(dashboard)/list-csv";
import { givenIn, oneOf } from "@/app/(dashboard)/list-url";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { type HoldPosition, listHolds, type ShownHold } from "@/lib/finance/holds";
import { may } from "@/lib/operators/permissions";

/** The balance of each seller is counted. */
const HOLDS_AT_A_TIME = 200;

export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "payouts.see")) return new Response(null, { status: 404 });
  const isLifted = oneOf(givenIn(request), "lifted") === "yes";
  const [t, words] = await Promise.all([getTranslations("exports"), holdWords()]);
  return csvOfList<ShownHold, HoldPosition>(ctx, {
    name: "holds",
    filters: isLifted ? { lifted: "yes" } : {},
    columns: [
      { label: t("sellerId"), cell: ({ seller }) => seller.id },
      { label: t("seller"), cell: ({ seller }) => seller.name },
      { label: t("cause"), cell: ({ cause }) => words.cause(cause) },
      { label: t("reason"), cell: words.why },
      { label: t("since"), moment: ({ since }) => since },
      { label: t("until"), moment: ({ until }) => until },
      { label: t("liftedAt"), moment: ({ liftedAt }) => liftedAt },
      { label: t("available"), cents: ({ available }) => available },
    ],
    page: (after) => listHolds(ctx, role, isLifted, { after, limit: HOLDS_AT_A_TIME }),
  });
}
