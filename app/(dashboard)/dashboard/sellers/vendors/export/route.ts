import { getTranslations } from "next-intl/server";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { inSnapshot } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { type VendorRow, vendorsAfter } from "@/lib/vendors/queries";

/** Documents for those who may see them on the page. */
export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "sellers.see")) return new Response(null, { status: 404 });
  const t = await getTranslations("exports");
  return csvOfList<VendorRow, VendorRow>(ctx, {
    name: "vendors",
    columns: [
      { label: t("vendorId"), cell: ({ id }) => id },
      { label: t("createdAt"), moment: ({ createdAt }) => createdAt },
      { label: t("name"), cell: ({ name }) => name },
      { label: t("reference"), cell: ({ referenceId }) => referenceId },
      { label: t("document"), cell: ({ identity }) => (may(role, "buyers.see") ? maskTaxId(identity) : "") },
      { label: t("mcc"), cell: ({ mcc }) => mcc },
    ],
    page: (after) => inSnapshot(ctx, (inside) => vendorsAfter(inside, { after, limit: ROWS_AT_A_TIME })),
  });
}
