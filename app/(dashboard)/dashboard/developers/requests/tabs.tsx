import { getTranslations } from "next-intl/server";
import { StatusTabs } from "@/components/charges/status-tabs";

export async function RequestTabs({ here }: { here: "requests" | "keys" }) {
  const t = await getTranslations("requests");
  return (
    <div className="mb-6 [&_ul]:px-0">
      <StatusTabs
        label={t("title")}
        tabs={[
          { href: "/dashboard/developers/requests", text: t("tabRequests"), isHere: here === "requests" },
          { href: "/dashboard/developers/idempotency", text: t("tabKeys"), isHere: here === "keys" },
        ]}
      />
    </div>
  );
}
