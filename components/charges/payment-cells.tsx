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

/**
 * On two smaller lines where both are known, which even a compact row has room for. One that is short leaves the second
 * to something else on a narrow screen.
 */
export function Buyer({ name, email, isShort }: NonNullable<PaymentRow["buyer"]> & { isShort?: boolean }) {
  if (!email) {
    return (
      <span className={classes("block", WHOLE, name.length > LONG_EMAIL && "text-xs leading-3.5", isShort && LINE)}>
        <EmailText address={name} />
      </span>
    );
  }
  return (
    <span title={email} className="block text-xs leading-3.5">
      <span className="block truncate text-ink">{name}</span>
      <span className={classes("block truncate text-ink-3", isShort && "not-print:max-xl:hidden")}>{email}</span>
    </span>
  );
}
const LINE = "not-print:max-xl:line-clamp-1 not-print:max-xl:text-xs not-print:max-xl:leading-3.5";

/** An order where its column has no room; said once, so it is no text of its own on a wide screen. */
export function OrderBelow({ text }: { text: string }) {
  return (
    <span
      data-text={text}
      className="hidden truncate text-ink-3 text-xs leading-3.5 before:content-[attr(data-text)] not-print:max-xl:block"
    />
  );
}

interface StatusProps {
  row: PaymentRow;
  decline?: PaymentRow["decline"];
  beside?: string | undefined;
}

/** On one line below the badge, which even a compact row has room for. */
const BELOW =
  "max-w-32 truncate text-ink-3 text-xs leading-3.5 xl:max-w-40 2xl:max-w-60 print:max-w-none print:whitespace-normal";

export function Status({ row, decline, beside }: StatusProps) {
  return (
    <span className="flex flex-col items-start">
      {row.review ? (
        <Badge tone="warning" icon={TriangleAlert}>
          {row.review}
        </Badge>
      ) : (
        <StatusBadge status={row.status.value} text={row.status.text} />
      )}
      {decline ? (
        <span title={decline.full} className={BELOW}>
          {decline.short}
        </span>
      ) : beside ? (
        <span title={beside} className={BELOW}>
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
        <span title={row.cards.join(" + ")} className="min-w-0 truncate leading-4">
          {row.method.text}
        </span>
      </span>
    );
  }
  return (
    <span className="flex items-center gap-2 whitespace-nowrap text-ink-2">
      <MethodIcon method={row.method.value} />
      <span className="flex min-w-0 gap-2 leading-4 md:max-xl:flex-col md:max-xl:gap-0 md:max-xl:text-xs md:max-xl:leading-3.5">
        <span title={row.method.text} className="min-w-0 truncate">
          {row.method.text}
        </span>
        {row.method.detail ? <span className="shrink-0 text-ink-3 tabular-nums">{row.method.detail}</span> : null}
      </span>
    </span>
  );
}
