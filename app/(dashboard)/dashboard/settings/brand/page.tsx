import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { previewChoices, previewTexts } from "@/app/(dashboard)/dashboard/preview/words";
import { saveLookAction, takePictureAction } from "@/app/(dashboard)/dashboard/settings/brand/actions";
import { contrastTexts, lookTexts } from "@/app/(dashboard)/dashboard/settings/brand/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { ChoiceForm } from "@/components/dashboard/choice-form";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { LookForm } from "@/components/settings/look-form";
import type { LookValues } from "@/components/settings/values";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { centsToDecimal } from "@/lib/money";
import { type Look, looksOf } from "@/lib/settings/look";

const PAGE = "/dashboard/settings/brand";
/** The account's default, where a merchant could stand. */
const DEFAULT = "default";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("brand");
  return { title: t("title") };
}

export default async function BrandPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "brand.edit");
  const t = await getTranslations("brand");
  const [locale, merchants] = await Promise.all([getLocale(), merchantsToChoose(ctx, role)]);
  const known = (id: string | undefined) => merchants.find((merchant) => merchant.id === id);
  const merchant = known(oneOf(given, "merchant"));
  const copied = oneOf(given, "from");
  const source = copied === DEFAULT ? null : known(copied)?.id;
  const { own, behind } = await looksOf(ctx, merchant?.id ?? null);
  const shown = copied && source !== undefined ? (await looksOf(ctx, source)).own : undefined;
  const scope = merchant?.id ?? DEFAULT;
  const others = [
    { value: DEFAULT, label: t("accountDefault") },
    ...merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
  ];
  const initial = shown ? valuesOf(shown, `copy:${source ?? DEFAULT}`, locale) : valuesOf(own, "keep", locale);
  return (
    <>
      <PageHead title={t("title")} description={t("description")} />
      {oneOf(given, "done") === "saved" ? <DoneNote text={t("doneSaved")} /> : null}
      <div className="mb-6 flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="grid gap-1.5 max-sm:w-full">
          <span className="font-medium text-ink text-sm">{t("scope")}</span>
          <ChoiceForm
            path={PAGE}
            name="merchant"
            label={t("scope")}
            chosen={scope}
            options={others}
            kept={[]}
            action={t("open")}
          />
        </div>
        {merchants.length > 0 ? (
          <div className="grid gap-1.5 max-sm:w-full">
            <span className="font-medium text-ink text-sm">{t("copyFrom")}</span>
            <ChoiceForm
              path={PAGE}
              name="from"
              label={t("copyFrom")}
              chosen={copied ?? ""}
              options={[{ value: "", label: t("copyNothing") }, ...others.filter(({ value }) => value !== scope)]}
              kept={merchant ? [["merchant", merchant.id]] : []}
              action={t("open")}
            />
          </div>
        ) : null}
        {shown ? <p className="pb-2 text-ink-2 text-sm">{t("copied")}</p> : null}
      </div>
      <LookForm
        key={JSON.stringify([scope, initial])}
        merchantId={merchant?.id ?? null}
        own={initial}
        behind={valuesOf(behind, "keep", locale)}
        isCopy={shown !== undefined}
        onSave={saveLookAction}
        onPicture={takePictureAction}
        texts={await lookTexts(behind)}
        contrast={await contrastTexts()}
        preview={{
          texts: await previewTexts(),
          choices: await previewChoices(),
          initial: { state: "open.card", lang: locale },
        }}
        locale={locale}
      />
    </>
  );
}

const choiceOf = (value: boolean | null) => (value === null ? "" : value ? "yes" : "no");

const valuesOf = (look: Look, from: string, locale: string): LookValues => ({
  mainColor: look.colours.mainColor ?? "",
  secondaryColor: look.colours.secondaryColor ?? "",
  attentionColor: look.colours.attentionColor ?? "",
  errorColor: look.colours.errorColor ?? "",
  successColor: look.colours.successColor ?? "",
  backgroundColor: look.colours.backgroundColor ?? "",
  siteUrl: look.siteUrl ?? "",
  supportEmail: look.supportEmail ?? "",
  picture: look.logo && { ...look.logo, from },
  severalCards: choiceOf(look.severalCards),
  captcha: choiceOf(look.captcha),
  leastPart: look.leastPart ? typedAmount(look.leastPart, locale) : "",
});

const typedAmount = (cents: number, locale: string): string =>
  locale === "en" ? centsToDecimal(cents) : centsToDecimal(cents).replace(".", ",");
