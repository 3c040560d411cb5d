import { getFormatter, getTranslations } from "next-intl/server";
import { ActionDialog } from "@/components/charges/action-dialog";
import { LinkButton } from "@/components/ui/link-button";
import type { ListState } from "@/lib/charges/list-states";
import type { PaymentFigures } from "@/lib/insights/figures";

export type Figure = "volume" | "approval" | "declined" | "captured";
export type PaymentsAddress = (extra: Record<string, string | string[]>) => string;

type Listed = { status: ListState[] };

/** Money that an issuer or a bank said yes to, whatever became of it later. */
export const APPROVED: Listed = {
  status: ["authorized", "pre_authorized", "refunded", "released", "charged_back", "capture_pending"],
};
/** What was taken from buyers, whatever became of it later; a released authorization took nothing. */
export const TAKEN: Listed = { status: ["authorized", "refunded", "charged_back"] };

const FIGURES = {
  volume: { name: "volume", rule: "whyVolume" },
  approval: { name: "approvalRate", rule: "whyApproval" },
  declined: { name: "declinedCount", rule: "whyDeclined" },
  captured: { name: "captured", rule: "whyCaptured" },
} as const satisfies Record<Figure, unknown>;

const isFigure = (text: string | undefined): text is Figure => text !== undefined && Object.hasOwn(FIGURES, text);

interface WhyFigureProps {
  figure: string | undefined;
  figures: PaymentFigures;
  closeHref: string;
  ways: { money: (cents: number) => string; list: PaymentsAddress; method: (method: string) => string };
}

interface Line {
  name: string;
  value: string;
}

/** A figure of the home page: its rule, the parts that add up to it, and the payments behind it. */
export async function WhyFigure({ figure, figures, closeHref, ways: { money, list, method } }: WhyFigureProps) {
  if (!isFigure(figure)) return null;
  const [t, format] = await Promise.all([getTranslations("home"), getFormatter()]);
  const { now, methods } = figures;
  const byMethod = (of: (each: PaymentFigures["methods"][number]) => number, say: (value: number) => string): Line[] =>
    methods.filter((each) => of(each) > 0).map((each) => ({ name: method(each.name), value: say(of(each)) }));
  const count = (value: number) => format.number(value);
  const answered = now.approved + now.declined;
  const told: Record<Figure, { lines: Line[]; sum: string; href: string }> = {
    volume: { lines: byMethod(({ volume }) => volume, money), sum: money(now.volume), href: list(APPROVED) },
    approval: {
      lines: [
        { name: t("whyNumerator"), value: count(now.approved) },
        { name: t("whyDenominator"), value: count(answered) },
      ],
      sum:
        answered > 0
          ? format.number(now.approved / answered, { style: "percent", maximumFractionDigits: 1 })
          : t("noRate"),
      href: list({ status: [...APPROVED.status, "failed"] }),
    },
    declined: {
      lines: byMethod(({ declined }) => declined, count),
      sum: count(now.declined),
      href: list({ status: "failed" }),
    },
    captured: {
      lines: [
        { name: t("whyTaken"), value: money(now.captured) },
        { name: t("whyGivenBack"), value: money(-now.refunded) },
        ...(now.chargedBack > 0 ? [{ name: t("whyDisputed"), value: money(-now.chargedBack) }] : []),
      ],
      sum: money(now.captured - now.refunded - now.chargedBack),
      href: list(TAKEN),
    },
  };
  const { lines, sum, href } = told[figure];
  const { name, rule } = FIGURES[figure];
  return (
    <ActionDialog title={t(name)} text={t(rule)} closeHref={closeHref} shape="sheet">
      <dl className="mx-5 mt-5 divide-y divide-line rounded-lg border border-line text-sm">
        {lines.map((line) => (
          <div key={line.name} className="flex items-baseline justify-between gap-4 px-4 py-2.5">
            <dt className="text-ink-2">{line.name}</dt>
            <dd className="text-ink tabular-nums">{line.value}</dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4 bg-sunken px-4 py-2.5 font-semibold">
          <dt className="text-ink">{t(name)}</dt>
          <dd className="text-ink tabular-nums">{sum}</dd>
        </div>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-4 pb-5">
        <p className="text-ink-3 text-xs">{t("whyCounted")}</p>
        <LinkButton href={href}>{t("whyPayments")}</LinkButton>
      </div>
    </ActionDialog>
  );
}
