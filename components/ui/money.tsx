import { classes } from "@/components/ui/classes";
import { formatCents } from "@/components/ui/money-format";

interface MoneyProps {
  /** Cents. */
  amount: number;
  currency?: string;
  locale: string;
  className?: string;
}

export function Money({ amount, currency = "BRL", locale, className }: MoneyProps) {
  return (
    <data value={amount} className={classes("whitespace-nowrap tabular-nums", className)}>
      {formatCents(amount, currency, locale)}
    </data>
  );
}
