import { getTranslations } from "next-intl/server";
import { requestFilters } from "@/app/(dashboard)/dashboard/developers/requests/filters";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { givenIn } from "@/app/(dashboard)/list-url";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { may } from "@/lib/operators/permissions";
import { type ListedRequest, listRequests } from "@/lib/request-logs/queries";

/** Without bodies, headers and addresses of callers, which the list does not show either. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "requests.see")) return new Response(null, { status: 404 });
  const filters = requestFilters(givenIn(request));
  const t = await getTranslations("exports");
  return csvOfList<ListedRequest>(ctx, {
    name: "requests",
    filters,
    columns: [
      { label: t("rowId"), cell: ({ id }) => id },
      { label: t("requestId"), cell: ({ requestId }) => requestId },
      { label: t("createdAt"), moment: ({ createdAt }) => createdAt },
      { label: t("method"), cell: ({ method }) => method },
      { label: t("path"), cell: ({ path }) => path },
      { label: t("httpStatus"), cell: ({ status }) => String(status), isNumber: true },
      { label: t("durationMs"), cell: ({ durationMs }) => String(durationMs), isNumber: true },
      { label: t("idempotencyKey"), cell: ({ idempotencyKey }) => idempotencyKey ?? "" },
      { label: t("replayed"), cell: ({ replayed }) => t(replayed ? "yes" : "no") },
    ],
    page: (after) => listRequests(ctx, role, { ...filters, after, limit: ROWS_AT_A_TIME }),
  });
}
