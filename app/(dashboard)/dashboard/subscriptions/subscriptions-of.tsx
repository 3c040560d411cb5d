import {
  chargedNextOn,
  LIST,
  STATUS_LOOKS,
  STATUS_TEXTS,
  subscriptionWords,
} from "@/app/(dashboard)/dashboard/subscriptions/words";
import { DataList } from "@/components/dashboard/data-list";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { listSubscriptionsForOperator } from "@/lib/subscriptions/operator-queries";

interface SubscriptionsOfProps {
  ctx: Context;
  role: OperatorRole;
  /** Whose they are: a customer's, or a payment link's. */
  of: { customerId: string } | { sessionId: string };
  title: string;
}

/** The subscriptions of a customer, or those that a link started; nothing where there are none. */
export async function SubscriptionsOf({ ctx, role, of, title }: SubscriptionsOfProps) {
  const { items } = await listSubscriptionsForOperator(ctx, role, of);
  if (items.length === 0) return null;
  const { t, day, plan, money } = await subscriptionWords();
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} />
      <DataList
        caption={title}
        columns={[
          { key: "name", title: t("name"), isFlexible: true },
          { key: "status", title: t("status") },
          { key: "plan", title: t("plan"), isMinor: true, isFolded: true },
          { key: "next", title: t("nextDue"), isNumeric: true, isFolded: true },
          { key: "risk", title: t("atRisk"), isNumeric: true },
        ]}
        rows={items.map(({ row, atRisk }) => {
          const nextOn = chargedNextOn(row);
          return {
            id: row.id,
            href: `${LIST}/${row.id}`,
            cells: [
              row.name,
              <Badge key="status" {...STATUS_LOOKS[row.status]}>
                {t(STATUS_TEXTS[row.status])}
              </Badge>,
              plan(row),
              nextOn ? day(nextOn) : t("none"),
              atRisk > 0 ? money(atRisk) : t("none"),
            ],
          };
        })}
      />
    </Card>
  );
}
