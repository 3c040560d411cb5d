import { BellOff, BellRing, CircleCheck, MinusCircle } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { Badge } from "@/components/ui/badge";
import type { Context } from "@/lib/context";
import { isMuted, type MonitorRow } from "@/lib/monitors/service";

/** What a monitor says at this moment. */
export async function MonitorState({ ctx, monitor }: { ctx: Context; monitor: MonitorRow }) {
  const t = await getTranslations("alerts");
  if (monitor.state === "firing")
    return (
      <Badge tone="danger" icon={isMuted(ctx, monitor) ? BellOff : BellRing}>
        {isMuted(ctx, monitor) ? t("stateFiringMuted") : t("stateFiring")}
      </Badge>
    );
  if (isMuted(ctx, monitor))
    return (
      <Badge tone="neutral" icon={BellOff}>
        {t("stateMuted")}
      </Badge>
    );
  if (monitor.value === null)
    return (
      <Badge tone="neutral" icon={MinusCircle}>
        {t("stateLittle")}
      </Badge>
    );
  return (
    <Badge tone="success" icon={CircleCheck}>
      {t("stateQuiet")}
    </Badge>
  );
}
