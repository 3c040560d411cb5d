import { Ban, ShieldAlert } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { Badge } from "@/components/ui/badge";
import type { AlarmRow } from "@/lib/velocity/alarms";

/** Whether cards are being tested on a link, and what was done about it; cards that a person closed are no attack. */
export async function AttackFlag({ alarms }: { alarms: readonly AlarmRow[] }) {
  if (alarms.length === 0) return null;
  const t = await getTranslations("links");
  const isAttack = alarms.some(({ cause }) => cause !== "person");
  const isClosed = alarms.some(({ kind }) => kind === "cards_paused");
  return (
    <>
      {isAttack ? (
        <Badge tone="danger" icon={ShieldAlert}>
          {t("attack")}
        </Badge>
      ) : null}
      {isClosed ? (
        <Badge tone="warning" icon={Ban}>
          {t("cardsClosed")}
        </Badge>
      ) : null}
    </>
  );
}
