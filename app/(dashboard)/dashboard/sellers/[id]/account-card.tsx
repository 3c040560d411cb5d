import { getFormatter, getTranslations } from "next-intl/server";
import { endAccountAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import { ACCOUNT_TEXTS, ACCOUNT_TYPE_TEXTS, policyText } from "@/app/(dashboard)/dashboard/sellers/words";
import { Facts } from "@/components/dashboard/facts";
import { TaskButton } from "@/components/tasks/task-button";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import type { SellerBankAccount } from "@/db/schema/sellers";
import { noonOf } from "@/lib/brazil/bank-calendar";
import { type Context, now, onAccountClock } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { BANKS_AS_OF, findBank } from "@/lib/reference/banks";
import { changedMembers } from "@/lib/sellers/account-changes";
import type { SellerOverview } from "@/lib/sellers/operator-queries";

interface AccountCardProps {
  ctx: Context;
  overview: SellerOverview;
  path: string;
  mayChange: boolean;
  mayEdit: boolean;
}

/** Where the seller is paid, and when; of the account the last digits, and a change that waits for somebody. */
export async function AccountCard({ ctx, overview, path, mayChange, mayEdit }: AccountCardProps) {
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  const { seller, accountChange } = overview;
  const { row } = seller;
  const held = row.transfersHeldUntil && row.transfersHeldUntil > now(ctx) ? row.transfersHeldUntil : undefined;
  const who = accountChange ? await namesOf(systemDb(), ctx.account.id, [accountChange.askedBy]) : undefined;
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("account")}
        actions={
          mayChange ? (
            <LinkButton href={`${path}?do=account`} scroll={false} size="sm">
              {t("change")}
            </LinkButton>
          ) : null
        }
      />
      {accountChange ? (
        <>
          <p className="border-line border-b bg-warning-soft px-5 py-3 text-sm text-warning">
            {t("accountWaits", {
              account: shortAccount(accountChange.bankAccount),
              who: who?.get(accountChange.askedBy) ?? t("somebody"),
              until: format.dateTime(onAccountClock(ctx, accountChange.expiresAt), {
                dateStyle: "medium",
                timeStyle: "short",
              }),
            })}
          </p>
          <Facts
            facts={changedMembers(row.bankAccount, accountChange.bankAccount).map(({ member, value }) => ({
              name: t(ACCOUNT_TEXTS[member]),
              value: member === "type" ? t(ACCOUNT_TYPE_TEXTS[accountChange.bankAccount.type]) : (value ?? t("none")),
            }))}
          />
          <div className="flex flex-wrap gap-2 border-line border-b px-5 pb-4">
            {(["confirm", "refuse"] as const).map((how) => (
              <TaskButton
                key={how}
                text={how === "confirm" ? t("accountConfirm") : t("accountRefuse")}
                hidden={{ id: row.id, change: accountChange.id, how }}
                onAct={endAccountAction}
                size="sm"
              />
            ))}
          </div>
        </>
      ) : null}
      {row.bankAccount.bank && !findBank(row.bankAccount.bank) ? (
        <p className="border-line border-b bg-warning-soft px-5 py-3 text-sm text-warning">
          {t("bankUnknown", {
            code: row.bankAccount.bank,
            day: format.dateTime(noonOf(BANKS_AS_OF), { dateStyle: "medium" }),
          })}
        </p>
      ) : null}
      {held ? (
        <p className="border-line border-b bg-info-soft px-5 py-3 text-info text-sm">
          {t("held", { until: format.dateTime(held, { dateStyle: "medium", timeStyle: "short" }) })}
        </p>
      ) : null}
      <Facts
        facts={[
          { name: t("holderName"), value: overview.holder },
          { name: t("account"), value: shortAccount(row.bankAccount) },
          ...(row.bankAccount.pixKey ? [{ name: t("pixKey"), value: t("pixKeySet") }] : []),
          {
            name: t("transfers"),
            value: (
              <span className="flex flex-wrap items-center gap-2">
                {await policyText(row.transferPolicy)}
                {mayEdit ? (
                  <LinkButton href={`${path}?do=transfers`} scroll={false} size="sm">
                    {t("edit")}
                  </LinkButton>
                ) : null}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

const LAST = 4;

/** "Itaú · 1234 · •••6789". */
function shortAccount({ bank, ispb, branchNumber, accountNumber }: SellerBankAccount): string {
  const name = (bank ? findBank(bank)?.name : undefined) ?? bank ?? ispb ?? "";
  return [name, branchNumber, `•••${accountNumber.slice(-LAST)}`].filter(Boolean).join(" · ");
}
