import { getTranslations } from "next-intl/server";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { Field } from "@/components/ui/field";
import { Input, inputLook } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { addDays } from "@/lib/brazil/bank-calendar";
import type { PrepaymentChoice } from "@/lib/finance/prepayments";

interface RangeFormProps {
  choice: PrepaymentChoice;
  sellers: readonly { id: string; name: string }[];
  from: string | undefined;
  until: string | undefined;
  path: string;
  given: GivenParameters;
}

const PRESETS = [30, 60, 90] as const;

/** Whose receivables, and which of them by two days: an ordinary form, with links for the usual ranges. */
export async function RangeForm({ choice, sellers, from, until, path, given }: RangeFormProps) {
  const t = await getTranslations("prepayments");
  const { seller, first, last, window } = choice;
  const known = seller && !sellers.some(({ id }) => id === seller.id) ? [...sellers, seller] : sellers;
  const presets = [
    ...PRESETS.map((days) => ({
      text: t("presetDays", { days }),
      until: addDays(window.paymentDate, days),
    })),
    { text: t("presetAll"), until: undefined },
  ];
  return (
    <form action={path} className="grid gap-4 px-5 py-4">
      <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,1.4fr)_1fr_1fr_auto]">
        <Field label={t("whose")}>
          {(control) => (
            <select
              {...control}
              name="seller"
              defaultValue={seller?.id ?? ""}
              className={classes(inputLook, "h-11 pr-2 sm:h-10")}
            >
              <option value="">{t("own")}</option>
              {known.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("from")}>
          {(control) => (
            <Input
              {...control}
              type="date"
              name="from"
              defaultValue={from}
              min={first}
              max={last}
              className="h-11 sm:h-10"
            />
          )}
        </Field>
        <Field label={t("until")} error={from && until && until < from ? t("rangeReversed") : undefined}>
          {(control) => (
            <Input
              {...control}
              type="date"
              name="until"
              defaultValue={until}
              min={first}
              max={last}
              className="h-11 sm:h-10"
            />
          )}
        </Field>
        <Button type="submit" tone="primary" className="h-11 sm:h-10">
          {t("show")}
        </Button>
      </div>
      <nav aria-label={t("presets")} className="flex flex-wrap gap-2">
        {presets.map((preset) => (
          <LinkButton
            key={preset.text}
            href={withParameters(path, given, { from: undefined, until: preset.until })}
            scroll={false}
            size="sm"
            aria-current={!from && preset.until === until ? "true" : undefined}
            className={classes("max-sm:h-11", !from && preset.until === until && "border-accent bg-accent-soft")}
          >
            {preset.text}
          </LinkButton>
        ))}
      </nav>
    </form>
  );
}
