import { describe, expect, test } from "vitest";
import {
  adviceOf,
  declineRefusal,
  severalActions,
  severalRefusal,
  shownRefusal,
  waysOut,
} from "@/lib/checkout/declines";
import { DECLINED_CODES, helpfulReason } from "@/lib/declines/decline-codes";

describe("after a decline", () => {
  test.each(DECLINED_CODES)("%s has a next best step", (code) => {
    const { actions, sameCard } = adviceOf(code);
    expect(actions.length).toBeGreaterThan(1);
    expect(actions.includes("retry") && sameCard === "no").toBe(false);
  });

  test("a thief learns nothing: lost, stolen, pick-up and confirmed fraud say and offer the same", () => {
    const hidden = ["lost_card", "stolen_card", "pickup_card", "fraud_confirmed"] as const;
    for (const code of hidden) expect(adviceOf(code)).toEqual(adviceOf("neutral"));
    for (const code of hidden) expect(helpfulReason(code)).toBeUndefined();
  });

  test("the third decline of a visit, and any under protection, is neutral; ours stay what they are", () => {
    expect(shownRefusal("insufficient_funds", 2, false)).toBe("insufficient_funds");
    expect(shownRefusal("insufficient_funds", 3, false)).toBe("neutral");
    expect(shownRefusal("insufficient_funds", 1, true)).toBe("neutral");
    expect(shownRefusal("too_many", 9, true)).toBe("too_many");
  });

  test("what the link does not have is left out and the next moves up", () => {
    expect(waysOut("insufficient_funds", new Set(["pix", "card"]))).toEqual(["pix", "card"]);
  });

  test("of several cards the declined one is repaired; other amounts, one card alone and other methods stand beside", () => {
    const all = new Set(["single", "boleto", "pix", "amounts", "card", "retry", "parts"] as const);
    expect(severalActions("generic", all)).toEqual(["card", "amounts", "single", "pix", "boleto"]);
    expect(severalActions("generic", new Set(["card", "amounts", "single"]))).toEqual(["card", "amounts", "single"]);
  });

  test("a card that its bank wants to confirm pays alone or not at all: other amounts would not help", () => {
    const all = new Set(["single", "boleto", "pix", "amounts", "card", "retry"] as const);
    const refusal = severalRefusal("failed_authentication");
    expect([refusal, severalActions(refusal, all)]).toEqual([
      "authentication_alone",
      ["card", "single", "pix", "boleto"],
    ]);
  });

  test("codes of authentication and codes nobody knows have words too", () => {
    expect(declineRefusal("cardholder_not_complete_authentication")).toBe("authentication");
    expect(declineRefusal("processing_error")).toBe("generic");
    expect(declineRefusal(undefined)).toBe("generic");
    expect(declineRefusal("fraud_suspect", "antifraud")).toBe("antifraud");
  });
});
