import { getTranslations } from "next-intl/server";
import { askedNamer, providerNamer } from "@/app/(dashboard)/dashboard/sellers/words";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { may } from "@/lib/operators/permissions";
import { openReviews, type ReviewToAnswer } from "@/lib/sellers/operator-queries";

/** What providers ask of sellers, by the deadline. */
export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "sellers.see")) return new Response(null, { status: 404 });
  const [t, asked, named] = await Promise.all([getTranslations("exports"), askedNamer(), providerNamer()]);
  return csvOfList<ReviewToAnswer>(ctx, {
    name: "seller-reviews",
    columns: [
      { label: t("reviewId"), cell: ({ id }) => id },
      { label: t("sellerId"), cell: ({ sellerId }) => sellerId },
      { label: t("seller"), cell: ({ seller }) => seller.name },
      { label: t("asked"), cell: ({ requestedFields }) => requestedFields.map(asked).join("; ") },
      { label: t("openedAt"), moment: ({ createdAt }) => createdAt },
      { label: t("deadline"), moment: ({ deadline }) => deadline },
      { label: t("provider"), cell: ({ registrationId, providers }) => named(registrationId, providers) },
    ],
    page: (after) => openReviews(ctx, role, { after, limit: ROWS_AT_A_TIME }),
  });
}
