import { expect, test } from "vitest";
import { schemeCss, themeCss } from "@/lib/branding/css";
import { NO_COLOURS, usedColours } from "@/lib/branding/palette";
import { parsePixCode } from "@/lib/brazil/pix-brcode";
import { SAMPLE_STATES, sampleOf } from "@/lib/checkout/samples";

const LINK = {
  amount: 24_990,
  name: "Tênis",
  item: "Tênis",
  methods: [
    { paymentType: "credit", installments: 6 },
    { paymentType: "pix", expiresIn: 3_600 },
    { paymentType: "boleto", expiresDate: "2026-12-01" },
  ],
  orderId: null,
  dueAt: null,
  captcha: false,
  takesSeveralCards: true,
  subscription: null,
};
const AT = new Date("2026-11-20T15:00:00Z");

test("every state of a link and of a payment has a sample, of its own group", () => {
  for (const state of SAMPLE_STATES) expect(sampleOf(state, LINK, AT).kind, state).toBe(state.split(".")[0]);
});

test("a sample offers what the shop's rules leave", () => {
  const kindsOf = (link: typeof LINK) => {
    const sample = sampleOf("open.card", link, AT);
    return sample.kind === "open" ? sample.view.methods.map(({ kind }) => kind) : [];
  };
  expect(kindsOf(LINK)).toEqual(["card", "cards", "pix", "boleto"]);
  expect(kindsOf({ ...LINK, takesSeveralCards: false })).toEqual(["card", "pix", "boleto"]);
});

test("the code of a sample can be read, and leads to nobody's account", () => {
  const sample = sampleOf("payment.pix", LINK, AT);
  if (sample.kind !== "payment" || !sample.view.pix) throw new Error("a Pix has a code");
  expect(parsePixCode(sample.view.pix.code)).toMatchObject({ url: "example.com/preview" });
});

test("a preview wears one scheme, with the very colours of the page", () => {
  const dark = schemeCss(NO_COLOURS, "dark");
  expect(themeCss(NO_COLOURS)).toContain(dark);
  expect(dark).not.toContain("@media");
});

test("every colour is explained in both schemes, set or not, and always reaches its ratio", () => {
  for (const scheme of ["light", "dark"] as const) {
    const used = usedColours({ ...NO_COLOURS, mainColor: "#ffff00" }, scheme);
    expect(used).toHaveLength(6);
    for (const { ratio, needed } of used) expect(ratio).toBeGreaterThanOrEqual(needed);
  }
});
