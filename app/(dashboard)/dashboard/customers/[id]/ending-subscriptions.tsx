import { getTranslations } from "next-intl/server";
import { STATUS_TEXTS, subscriptionWords } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { type Context, inSnapshot } from "@/lib/context";
import { runningOf } from "@/lib/subscriptions/queries";

const MOST_NAMED = 10;

/**
 * What ends with a customer, each with what it charges, to be read before: it cannot be taken back. Whoever deletes the
 * customer ends them, and is told of them whatever else they may see.
 */
export async function EndingSubscriptions({ ctx, customerId }: { ctx: Context; customerId: string }) {
  const rows = await inSnapshot(ctx, (inside) => runningOf(inside, customerId));
  if (rows.length === 0) return null;
  const [t, { plan }] = await Promise.all([getTranslations("subscriptions"), subscriptionWords()]);
  const left = rows.length - MOST_NAMED;
  return (
    <div className="rounded-md bg-danger-soft px-3 py-2.5 text-danger text-sm">
      <p className="font-medium">{t("endWithCustomer", { count: rows.length })}</p>
      <ul className="mt-1 list-disc pl-5">
        {rows.slice(0, MOST_NAMED).map((row) => (
          <li key={row.id}>
            {t("endWithCustomerOne", { name: row.name, plan: plan(row), status: t(STATUS_TEXTS[row.status]) })}
          </li>
        ))}
        {left > 0 ? <li>{t("endWithCustomerMore", { count: left })}</li> : null}
      </ul>
    </div>
  );
}
