import { getTranslations } from "next-intl/server";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { brought, type ListedStatement } from "@/lib/finance/statements";
import { may } from "@/lib/operators/permissions";

export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "finance.see")) return new Response(null, { status: 404 });
  const t = await getTranslations("exports");
  return csvOfList<ListedStatement>(ctx, {
    name: "statements",
    columns: [
      { label: t("fileId"), cell: ({ id }) => id },
      { label: t("uploadedAt"), moment: ({ createdAt }) => createdAt },
      { label: t("file"), cell: ({ name }) => name },
      { label: t("provider"), cell: ({ provider }) => provider },
      { label: t("merchant"), cell: ({ merchant }) => merchant ?? "" },
      { label: t("booked"), cell: ({ isTaken }) => t(isTaken ? "yes" : "no") },
      { label: t("lines"), cell: ({ lines }) => String(lines), isNumber: true },
      { label: t("rejectedLines"), cell: ({ refused }) => String(refused), isNumber: true },
      {
        label: t("net"),
        // As on the page: what will not be booked has none.
        cents: ({ refused, isTaken, net }) => (refused > 0 && !isTaken ? null : net),
      },
    ],
    page: (after) => brought(ctx, role, { after, limit: ROWS_AT_A_TIME }),
  });
}
