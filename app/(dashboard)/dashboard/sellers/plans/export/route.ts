import { getTranslations } from "next-intl/server";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { inSnapshot } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { type PlanPosition, type PlanWithSellers, plansWithSellers } from "@/lib/sale-plans/queries";

export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "sellers.see")) return new Response(null, { status: 404 });
  const t = await getTranslations("exports");
  return csvOfList<PlanWithSellers, PlanPosition>(ctx, {
    name: "sale-plans",
    columns: [
      { label: t("planId"), cell: ({ id }) => id },
      { label: t("createdAt"), moment: ({ createdAt }) => createdAt },
      { label: t("name"), cell: ({ name }) => name },
      { label: t("isDefault"), cell: ({ isDefault }) => t(isDefault ? "yes" : "no") },
      { label: t("isActive"), cell: ({ status }) => t(status === "active" ? "yes" : "no") },
      { label: t("sellers"), cell: ({ sellers }) => String(sellers), isNumber: true },
      { label: t("withdrawalFee"), cents: ({ withdrawalFee }) => withdrawalFee },
    ],
    page: (after) => inSnapshot(ctx, (inside) => plansWithSellers(inside, { after, limit: ROWS_AT_A_TIME })),
  });
}
