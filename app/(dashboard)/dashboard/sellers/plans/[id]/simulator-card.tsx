import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { METHOD_TEXTS } from "@/app/(dashboard)/dashboard/sellers/plans/fields";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import { DataList } from "@/components/dashboard/data-list";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { Field } from "@/components/ui/field";
import { Input, inputLook } from "@/components/ui/input";
import { formatCents } from "@/components/ui/money-format";
import { noonOf } from "@/lib/brazil/bank-calendar";
import { BRAND_NAMES, BRANDS } from "@/lib/brazil/card-brand";
import { bpsToPercent } from "@/lib/money";
import { simulateSale } from "@/lib/receivables/simulate";
import type { RateRow } from "@/lib/sale-plans/rates";

const METHODS = ["credit", "debit", "pix", "boleto"] as const;
const MOST_INSTALLMENTS = 24;
const COUNTS = Array.from({ length: MOST_INSTALLMENTS }, (_, index) => index + 1);
const WHOLE_BPS = 10_000;
const USUAL = { amount: 100_00, installments: 6, shareBps: WHOLE_BPS };

interface SimulatorCardProps {
  rates: readonly RateRow[];
  today: string;
  given: GivenParameters;
  path: string;
}

/** "R$ 100,00 in 6×: who gets what, when", by the functions that book a sale. */
export async function SimulatorCard({ rates, today, given, path }: SimulatorCardProps) {
  const [t, say, format, locale] = await Promise.all([
    getTranslations("salePlans"),
    getTranslations("sellers"),
    getFormatter(),
    getLocale(),
  ]);
  const paymentType = METHODS.find((method) => method === oneOf(given, "method")) ?? "credit";
  const [typed, amounts] = [oneOf(given, "amount"), await typedAmounts()];
  const read = typed === undefined ? USUAL.amount : amounts.read(typed);
  const amount = read ?? USUAL.amount;
  const asked = Number(oneOf(given, "installments") ?? USUAL.installments);
  const isCounted = paymentType === "credit" && Number.isInteger(asked) && asked >= 1 && asked <= MOST_INSTALLMENTS;
  const installments = isCounted ? asked : 1;
  const typedShare = oneOf(given, "share");
  const readShare = typedShare === undefined ? USUAL.shareBps : amounts.read(typedShare);
  const isShare = readShare !== undefined && readShare <= WHOLE_BPS;
  const shareBps = isShare ? readShare : USUAL.shareBps;
  const brand = BRANDS.find((each) => each === oneOf(given, "brand"));
  const { seller, merchant, rate, days } = simulateSale(rates, {
    ...{ amount, paymentType, installments, brand, shareBps },
    day: today,
  });
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  const number = (value: number) => format.number(value, { minimumFractionDigits: 2 });
  return (
    <Card className="overflow-hidden" id="simulator">
      <CardHeader title={t("simulator")} description={t("simulatorText")} />
      <form action={`${path}#simulator`} className="grid items-end gap-3 border-line border-b px-5 py-4 sm:grid-cols-3">
        <Field label={t("amount")} error={read === undefined ? amounts.problemOf(typed ?? "") : undefined}>
          {(control) => (
            <Input
              {...control}
              name="amount"
              inputMode="decimal"
              defaultValue={read === undefined ? typed : number(amount / 100)}
            />
          )}
        </Field>
        <Field label={t("method")}>
          {(control) => (
            <select
              {...control}
              name="method"
              defaultValue={paymentType}
              className={classes(inputLook, "h-10 pr-2 sm:h-9")}
            >
              {METHODS.map((method) => (
                <option key={method} value={method}>
                  {t(METHOD_TEXTS[method])}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("installments")}>
          {(control) => (
            <select
              {...control}
              name="installments"
              defaultValue={String(installments)}
              className={classes(inputLook, "h-10 pr-2 sm:h-9")}
            >
              {COUNTS.map((count) => (
                <option key={count} value={count}>
                  {t("times", { count })}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("brand")}>
          {(control) => (
            <select
              {...control}
              name="brand"
              defaultValue={brand ?? ""}
              className={classes(inputLook, "h-10 pr-2 sm:h-9")}
            >
              <option value="">{t("anyBrand")}</option>
              {BRANDS.filter((each) => BRAND_NAMES[each] !== "Unknown").map((each) => (
                <option key={each} value={each}>
                  {BRAND_NAMES[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("share")} error={isShare ? undefined : say("unfitPercent")}>
          {(control) => (
            <Input
              {...control}
              name="share"
              inputMode="decimal"
              defaultValue={isShare ? number(shareBps / 100) : typedShare}
            />
          )}
        </Field>
        <Button type="submit" className="h-10 sm:h-9">
          {t("simulate")}
        </Button>
      </form>
      <p className="px-5 py-4 text-ink text-sm">
        {rate
          ? t("simulated", {
              amount: money(amount),
              gross: money(seller.gross),
              fee: money(seller.fee),
              net: money(seller.net),
              merchant: money(merchant.net),
              percent: bpsToPercent(rate.percentageBps),
              fixed: money(rate.fixedAmount),
            })
          : t("simulatedFree", { net: money(seller.net), merchant: money(merchant.net) })}
      </p>
      <DataList
        caption={t("simulator")}
        columns={[
          { key: "day", title: t("day") },
          { key: "seller", title: t("forSeller"), isNumeric: true },
          { key: "merchant", title: t("forMerchant"), isNumeric: true },
        ]}
        rows={days.map(({ day, seller: own, merchant: rest }) => ({
          id: day,
          cells: [format.dateTime(noonOf(day), { dateStyle: "medium" }), money(own), money(rest)],
        }))}
      />
    </Card>
  );
}
