import type { OrderView } from "@/lib/checkout/view";

/** The name of what was paid, as the receipt tells it on every medium: not what an item or the order's number says already. */
export const receiptTitle = ({
  title,
  orderId,
  items,
}: Pick<OrderView, "title" | "orderId" | "items">): string | null =>
  title === orderId || items.some(({ name }) => name === title) ? null : title;

const MOST_NAMED = 3;

/** The same where no items are listed besides: what has no name of its own is known by what is in it. */
export function mailTitle({ title, orderId, items }: Pick<OrderView, "title" | "orderId" | "items">): string | null {
  if (title !== null && title !== orderId) return title;
  const names = items.slice(0, MOST_NAMED).map(({ name }) => name);
  return names.length === 0 ? null : `${names.join(", ")}${items.length > MOST_NAMED ? "…" : ""}`;
}
