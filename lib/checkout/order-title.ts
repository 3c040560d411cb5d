import type { OrderView } from "@/lib/checkout/view";

/** The name of what was paid, as the receipt tells it on every medium: not what an item or the order's number says already. */
export const receiptTitle = ({
  title,
  orderId,
  items,
}: Pick<OrderView, "title" | "orderId" | "items">): string | null =>
  title === orderId || items.some(({ name }) => name === title) ? null : title;
