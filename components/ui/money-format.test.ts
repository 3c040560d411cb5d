import { expect, test } from "vitest";
import { formatCents } from "@/components/ui/money-format";

test("nothing has no sign, however it came about", () => {
  const shown = (amount: number) => formatCents(amount, "BRL", "pt-BR").replace(/\s/u, " ");
  expect([shown(-0), shown(0), shown(-1)]).toEqual(["R$ 0,00", "R$ 0,00", "−R$ 0,01"]);
});
