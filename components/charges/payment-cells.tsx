import { Layers, TriangleAlert } from "lucide-react";
import { MethodIcon } from "@/components/charges/method-icon";
import type { PaymentRow } from "@/components/charges/payment-list";
import { StatusBadge } from "@/components/charges/status-badge";
import { EmailText } from "@/components/dashboard/email-text";
import { Badge } from "@/components/ui/badge";
import { classes } from "@/components/ui/classes";

/** E-mails and orders are always whole: long ones stand on two smaller lines, which even a compact row has room for. */
export const WHOLE = "wrap-anywhere text-balance leading-4";
const LONG_EMAIL = 27;

/** On two smaller lines where both are known, which even a compact row has room for. */
export function Buyer({ name, email }: NonNullable<PaymentRow["buyer"]>) {
  if (!email) {
    return (
      <span className={classes("block", WHOLE, name.length > LONG_EMAIL && "text-xs leading-3.5")}>
        <EmailText address={name} />
      </span>
    );
  }
  return (
    <span title={email} className="block text-xs leading-3.5">
      <span className="block truncate text-ink">{name}</span>
      <span className="block truncate text-ink-3">{email}</span>
    </span>
  );
}

interface StatusProps {
  row: PaymentRow;
  decline?: PaymentRow["decline"];
  beside?: string | undefined;
}

/** Beside the badge on the two lines that even a compact row has room for; below it, on one, on a middling screen. */
const BESIDE = classes(
  "w-22 shrink-0 whitespace-normal text-balance text-ink-3 text-xs leading-3.5 2xl:w-auto 2xl:whitespace-nowrap",
  "max-[1440px]:w-auto max-[1440px]:max-w-36 max-[1440px]:truncate print:max-w-none print:whitespace-normal",
);

export function Status({ row, decline, beside }: StatusProps) {
  return (
    <span
      className={classes(
        "flex items-center gap-2",
        (decline ?? beside) && "max-[1440px]:flex-col max-[1440px]:items-start max-[1440px]:gap-0",
      )}
    >
      {row.review ? (
        <Badge tone="warning" icon={TriangleAlert}>
          {row.review}
        </Badge>
      ) : (
        <StatusBadge status={row.status.value} text={row.status.text} />
      )}
      {decline ? (
        <span title={decline.full} className={BESIDE}>
          {decline.short}
        </span>
      ) : beside ? (
        <span title={beside} className={BESIDE}>
          {beside}
        </span>
      ) : null}
    </span>
  );
}

export function Method({ row }: { row: PaymentRow }) {
  if (row.cards.length > 0) {
    return (
      <span className="flex items-center gap-2 whitespace-nowrap text-ink-2">
        <Layers aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span className="flex min-w-0 items-baseline gap-2">
          <span title={row.cards.join(" + ")} className="truncate">
            {row.method.text}
          </span>
        </span>
      </span>
    );
  }
  return (
    <span className="flex items-center gap-2 whitespace-nowrap text-ink-2">
      <MethodIcon method={row.method.value} />
      <span title={row.method.text} className="min-w-0 truncate">
        {row.method.text}
      </span>
      {row.method.detail ? <span className="shrink-0 text-ink-3 tabular-nums">{row.method.detail}</span> : null}
    </span>
  );
}
