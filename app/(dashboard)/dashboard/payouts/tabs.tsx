import { getTranslations } from "next-intl/server";
import { PREPAYMENTS } from "@/app/(dashboard)/dashboard/payouts/prepayments/words";
import { BATCHES, PAYOUT_FILES, PAYOUTS } from "@/app/(dashboard)/dashboard/payouts/words";
import { StatusTabs } from "@/components/charges/status-tabs";

const TABS = {
  overview: { href: PAYOUTS, named: "overview" },
  batches: { href: BATCHES, named: "batches" },
  prepayments: { href: PREPAYMENTS, named: "prepayments" },
  files: { href: PAYOUT_FILES, named: "files" },
  holds: { href: `${PAYOUTS}/holds`, named: "holds" },
} as const;

export async function PayoutsTabs({ here }: { here: keyof typeof TABS }) {
  const t = await getTranslations("payouts");
  return (
    <div className="mb-6 [&_ul]:px-0">
      <StatusTabs
        label={t("title")}
        tabs={Object.entries(TABS).map(([name, { href, named }]) => ({ href, text: t(named), isHere: name === here }))}
      />
    </div>
  );
}
