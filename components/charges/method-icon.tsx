import { Barcode, CreditCard, QrCode, Wallet } from "lucide-react";

const ICONS: Record<string, typeof CreditCard> = {
  credit: CreditCard,
  debit: CreditCard,
  voucher: CreditCard,
  pix: QrCode,
  boleto: Barcode,
};

export function MethodIcon({ method }: { method: string }) {
  const Icon = ICONS[method] ?? Wallet;
  return <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />;
}
