import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import {
  DESCRIBED,
  type Described,
  describedBy,
  EXAMPLES,
  parametersOf,
} from "@/app/(dashboard)/dashboard/flows/[id]/described";
import { PlanShown } from "@/app/(dashboard)/dashboard/flows/[id]/plan-shown";
import { SaveTest } from "@/app/(dashboard)/dashboard/flows/[id]/saved-tests-card";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import type { GivenParameters } from "@/app/(dashboard)/list-url";
import { brandText, type FlowNames, VALUE_TEXTS } from "@/components/flows/words";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { Field } from "@/components/ui/field";
import { Input, inputLook, Textarea } from "@/components/ui/input";
import { formatCents } from "@/components/ui/money-format";
import { BRAND_NAMES, BRANDS } from "@/lib/brazil/card-brand";
import { type Context, inSnapshot } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { COST_DAYS, costsOfProviders } from "@/lib/flows/provider-costs";
import type { FlowRow } from "@/lib/flows/queries";
import type { FlowSimulation } from "@/lib/flows/schema-simulation";
import { type Simulated, simulateFlow, USUAL_AMOUNT } from "@/lib/flows/simulate";

interface DescribedCardProps {
  ctx: Context;
  flow: FlowRow;
  names: FlowNames;
  merchants: ReadonlyMap<string, string>;
  given: GivenParameters;
  /** Whether what is tried may be kept as a test. */
  maySave: boolean;
}

const FIELD_TEXTS = {
  merchantId: "merchant",
  amount: "fieldAmount",
  installments: "fieldInstallments",
  brand: "fieldBrand",
  cardBin: "fieldBin",
  cardFunction: "fieldFunction",
  country: "fieldCountry",
  source: "fieldSource",
  recurrence: "fieldRecurrence",
  weekday: "fieldWeekday",
  hour: "fieldHour",
  random: "fieldRandom",
  bucket: "fieldBucket",
  metadata: "fieldMetadata",
} as const satisfies Record<Described, string>;

const OF_CARDS: ReadonlySet<Described> = new Set(["installments", "brand", "cardBin", "cardFunction", "country"]);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** A payment that nobody made, described in a form: what this version would do with it. Nothing is sent or written. */
export async function DescribedCard({ ctx, flow, names, merchants, given, maySave }: DescribedCardProps) {
  const [t, locale] = [await getTranslations("flows"), await getLocale()];
  const description = describedBy(given, flow.id, locale);
  const found = description?.asked ? await simulated(ctx, description.asked, description.unit) : undefined;
  const isCard = flow.paymentMethod !== "pix" && flow.paymentMethod !== "boleto";
  const fields = DESCRIBED.filter(
    (name) => (isCard || !OF_CARDS.has(name)) && (name !== "merchantId" || flow.merchantIds.length > 1),
  );
  const first = found?.plan.decision.providers[0];
  const cost = first === undefined ? undefined : found?.costs.get(first);
  return (
    <Card id="described">
      <CardHeader title={t("describeTitle")} description={t("describeText")} />
      {/* Another description is another form: what is typed in fields outlives new defaults. */}
      <form
        key={JSON.stringify(description?.typed ?? {})}
        action={`${LIST}/${flow.id}#described`}
        className="grid gap-4 px-5 pt-4"
      >
        <input type="hidden" name="described" value="1" />
        <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          {fields.map((name) => (
            <DescribedField
              key={name}
              name={name}
              label={t(FIELD_TEXTS[name])}
              typed={description?.typed[name]}
              isWrong={description?.wrong.has(name) ?? false}
              merchants={merchants}
            />
          ))}
        </div>
        <div>
          <Button type="submit">{t("describeButton")}</Button>
        </div>
      </form>
      <div className="pb-4">
        {description ? null : <Examples flowId={flow.id} isCard={isCard} />}
        {description && !found ? (
          <p role="status" className="px-5 pt-4 text-danger text-sm">
            {t("describeProblem")}
          </p>
        ) : null}
        {found ? (
          <PlanShown flow={flow} names={names} simulated={found.plan}>
            {first === undefined ? null : (
              <p className="text-ink-2">
                {cost === undefined
                  ? t("describeCostUnknown", {
                      provider: names.providers[first] ?? t("otherProvider"),
                      days: COST_DAYS,
                    })
                  : t("describeCost", {
                      provider: names.providers[first] ?? t("otherProvider"),
                      fee: formatCents(Math.round(cost * found.amount), "BRL", locale),
                      amount: formatCents(found.amount, "BRL", locale),
                    })}
              </p>
            )}
          </PlanShown>
        ) : null}
        {found && description && maySave ? (
          <SaveTest flowId={flow.id} typed={description.typed} unit={found.plan.facts.unit} />
        ) : null}
      </div>
    </Card>
  );
}

async function Examples({ flowId, isCard }: { flowId: string; isCard: boolean }) {
  const [t, locale] = [await getTranslations("flows"), await getLocale()];
  const examples = isCard
    ? EXAMPLES.card.map((facts) => ({
        facts,
        text: t("source" in facts ? "exampleRenewal" : "exampleCard", {
          brand: BRAND_NAMES[facts.brand],
          amount: formatCents(facts.amount, "BRL", locale),
          count: facts.installments,
        }),
      }))
    : EXAMPLES.other.map((facts) => ({
        facts,
        text: t("exampleOther", {
          amount: formatCents(facts.amount, "BRL", locale),
          source: t(VALUE_TEXTS.source[facts.source]),
        }),
      }));
  return (
    <div className="px-5 pt-4 text-sm">
      <p className="text-ink-2">{t("describeExamples")}</p>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {examples.map(({ facts, text }) => (
          <li key={text}>
            <Link
              href={`${LIST}/${flowId}?${parametersOf(facts, undefined, locale)}#described`}
              className="inline-block py-1 text-accent-ink underline underline-offset-2"
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Tried {
  plan: Simulated;
  amount: number;
  /** Fee per cent paid, by provider. */
  costs: ReadonlyMap<string, number>;
}

/** Undefined where the payment names what does not exist. */
async function simulated(ctx: Context, asked: FlowSimulation, unit: string | undefined): Promise<Tried | undefined> {
  try {
    return await inSnapshot(ctx, async (inside) => ({
      plan: await simulateFlow(inside, asked, unit),
      amount: asked.facts?.amount ?? USUAL_AMOUNT,
      costs: await costsOfProviders(inside),
    }));
  } catch (thrown) {
    if (thrown instanceof RequestError) return undefined;
    throw thrown;
  }
}

interface DescribedFieldProps {
  name: Described;
  label: string;
  typed: string | undefined;
  isWrong: boolean;
  merchants: ReadonlyMap<string, string>;
}

/** One of few is chosen, everything else typed. */
async function DescribedField({ name, label, typed, isWrong, merchants }: DescribedFieldProps) {
  const t = await getTranslations("flows");
  const options = await optionsOf(name, merchants);
  const hint = HINTS[name];
  return (
    <Field label={label} hint={hint ? t(hint) : undefined} error={isWrong ? t("describeWrong") : undefined}>
      {(control) => {
        if (options) {
          return (
            <select
              {...control}
              name={name}
              defaultValue={typed ?? ""}
              className={classes(inputLook, "h-10 pr-2 sm:h-9")}
            >
              <option value="">{t("describeAny")}</option>
              {options.map(({ value, text }) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          );
        }
        if (name === "metadata") return <Textarea {...control} name={name} rows={2} defaultValue={typed} />;
        return <Input {...control} name={name} defaultValue={typed} autoComplete="off" />;
      }}
    </Field>
  );
}

type Hint = "describeAmountHint" | "describeDrawnHint" | "describeMetadataHint";
const HINTS: Partial<Record<Described, Hint>> = {
  amount: "describeAmountHint",
  random: "describeDrawnHint",
  bucket: "describeDrawnHint",
  metadata: "describeMetadataHint",
};

async function optionsOf(
  name: Described,
  merchants: ReadonlyMap<string, string>,
): Promise<{ value: string; text: string }[] | undefined> {
  const [t, format] = [await getTranslations("flows"), await getFormatter()];
  switch (name) {
    case "merchantId":
      return [...merchants].map(([value, text]) => ({ value, text }));
    case "brand":
      return BRANDS.filter((brand) => brand !== "aura").map((value) => ({ value, text: brandText(t, value) }));
    case "cardFunction":
    case "recurrence":
    case "source":
      return Object.entries(VALUE_TEXTS[name]).map(([value, key]) => ({ value, text: t(key) }));
    case "weekday":
      return WEEKDAYS.map((day) => ({
        value: String(day),
        text: format.dateTime(new Date(Date.UTC(2024, 0, day)), { weekday: "long", timeZone: "UTC" }),
      }));
    default:
      return undefined;
  }
}
