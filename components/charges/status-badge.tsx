import {
  Ban,
  CheckCircle2,
  CircleDashed,
  CircleX,
  Hourglass,
  type LucideIcon,
  RotateCcw,
  ShieldAlert,
  Timer,
} from "lucide-react";
import type { ComponentProps } from "react";
import { Badge } from "@/components/ui/badge";
import type { ChargeRow } from "@/lib/charges/queries";

type Look = { icon: LucideIcon; tone: ComponentProps<typeof Badge>["tone"] };

const LOOKS: Record<ChargeRow["status"], Look> = {
  pending: { icon: CircleDashed, tone: "info" },
  pre_authorized: { icon: Timer, tone: "warning" },
  authorized: { icon: CheckCircle2, tone: "success" },
  failed: { icon: CircleX, tone: "danger" },
  canceled: { icon: Ban, tone: "neutral" },
  voided: { icon: RotateCcw, tone: "neutral" },
  charged_back: { icon: ShieldAlert, tone: "danger" },
  refund_pending: { icon: Hourglass, tone: "info" },
  capture_pending: { icon: Hourglass, tone: "info" },
};

export function StatusBadge({ status, text }: { status: ChargeRow["status"]; text: string }) {
  const { icon, tone } = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}
