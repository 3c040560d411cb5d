import { getTranslations } from "next-intl/server";
import { csvOfList, ROWS_AT_A_TIME } from "@/app/(dashboard)/list-csv";
import { givenIn, oneOf } from "@/app/(dashboard)/list-url";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { may } from "@/lib/operators/permissions";
import { type InboxEvent, readInbox } from "@/lib/webhooks/inbox";

/** Without bodies, which the list does not show either. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "webhooks.see")) return new Response(null, { status: 404 });
  const objectId = oneOf(givenIn(request), "object");
  const t = await getTranslations("exports");
  return csvOfList<InboxEvent>(ctx, {
    name: "events",
    filters: { object: objectId },
    columns: [
      { label: t("eventId"), cell: ({ id }) => id },
      { label: t("createdAt"), moment: ({ createdAt }) => createdAt },
      { label: t("event"), cell: ({ name }) => name },
      { label: t("objectId"), cell: ({ entityId }) => entityId },
      { label: t("objectVersion"), cell: ({ entityVersion }) => String(entityVersion), isNumber: true },
    ],
    page: (after) => readInbox(ctx, role, { after, objectId, limit: ROWS_AT_A_TIME }),
  });
}
