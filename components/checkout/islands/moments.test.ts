import { expect, test } from "vitest";
import { isSpoken, SPOKEN_MINUTES, SPOKEN_SECONDS } from "@/components/checkout/islands/moments";

test("the rest of a code's life is read out every three minutes, from five on each minute, once in the last; never each second", () => {
  const said = Array.from({ length: 3_601 }, (_, index) => 3_600 - index).filter(isSpoken);
  expect(said.filter((rest) => rest > 300)).toEqual(Array.from({ length: 19 }, (_, index) => 3_600 - index * 180));
  expect(said.filter((rest) => rest <= 300)).toEqual([300, 240, 180, 120, 60, 30]);
  // Each of them has its words.
  expect(said.every((rest) => SPOKEN_SECONDS.includes(rest) || SPOKEN_MINUTES.includes(rest / 60))).toBe(true);
});
