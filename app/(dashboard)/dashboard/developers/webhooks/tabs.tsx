import { getTranslations } from "next-intl/server";
import { StatusTabs } from "@/components/charges/status-tabs";

const BASE = "/dashboard/developers/webhooks";

export async function WebhookTabs({ here }: { here: "endpoints" | "deliveries" | "inbox" | "events" }) {
  const t = await getTranslations("webhooks");
  return (
    <div className="mb-6 [&_ul]:px-0">
      <StatusTabs
        label={t("title")}
        tabs={[
          { href: BASE, text: t("tabEndpoints"), isHere: here === "endpoints" },
          { href: `${BASE}/deliveries`, text: t("tabDeliveries"), isHere: here === "deliveries" },
          { href: "/dashboard/developers/events", text: t("tabInbox"), isHere: here === "inbox" },
          { href: `${BASE}/events`, text: t("tabEvents"), isHere: here === "events" },
        ]}
      />
    </div>
  );
}
