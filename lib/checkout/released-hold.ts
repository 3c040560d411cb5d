import type { CardLine } from "@/lib/checkout/card-lines";
import type { PaymentView } from "@/lib/checkout/view";

/** The cards of a payment that was authorized and never captured: nothing is held on them any more. */
export const heldNoMore = ({ state, cards }: Pick<PaymentView, "state" | "cards">): readonly CardLine[] =>
  state === "canceled" ? cards.filter(({ word }) => word === "released") : [];
