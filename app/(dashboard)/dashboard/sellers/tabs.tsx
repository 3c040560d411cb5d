import { getTranslations } from "next-intl/server";
import { StatusTabs } from "@/components/charges/status-tabs";

const TABS = {
  sellers: { href: "/dashboard/sellers", named: "title" },
  reviews: { href: "/dashboard/sellers/reviews", named: "reviews" },
  plans: { href: "/dashboard/sellers/plans", named: "plans" },
  vendors: { href: "/dashboard/sellers/vendors", named: "vendors" },
} as const;

/** What lies beside the list of sellers. */
export async function SellersTabs({ here }: { here: keyof typeof TABS }) {
  const t = await getTranslations("sellers");
  return (
    <div className="mb-6 [&_ul]:px-0">
      <StatusTabs
        label={t("title")}
        tabs={Object.entries(TABS).map(([name, { href, named }]) => ({ href, text: t(named), isHere: name === here }))}
      />
    </div>
  );
}
