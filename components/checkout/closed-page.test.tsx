import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClosedPage } from "@/components/checkout/closed-page";
import { NO_COLOURS } from "@/lib/branding/palette";
import { type SampleState, sampleOf } from "@/lib/checkout/samples";
import type { Frame } from "@/lib/checkout/view";

const FRAME: Frame = {
  locale: "en",
  nonce: "n",
  base: "/pay/link",
  languages: { "pt-BR": "?lang=pt-BR", en: "?lang=en" },
  shop: {
    name: "Mercado",
    logo: null,
    siteUrl: "https://mercado.example",
    supportEmail: null,
    colours: NO_COLOURS,
  },
  isSandbox: false,
  isEmbedded: false,
  scheme: null,
  embedder: null,
  script: (name) => `/${name}.js`,
  currency: "BRL",
};
const LINK = {
  amount: 10_001,
  name: "Tênis",
  item: "Tênis",
  methods: [],
  orderId: "A-77",
  dueAt: null,
  captcha: false,
  takesSeveralCards: false,
  subscription: null,
};

function drawn(state: SampleState): string {
  const sample = sampleOf(state, LINK, new Date("2026-11-20T15:00:00Z"));
  if (sample.kind !== "closed") throw new Error("not closed");
  return renderToStaticMarkup(<ClosedPage frame={FRAME} view={sample.view} about={sample.about} />);
}

const ABOUT = ["Tênis", "Order A-77", "R$100.01"];

test("who asks for another link is asked whether a mistyped e-mail was meant otherwise", () => {
  const html = drawn("closed.canceled");
  expect(html).toContain('src="/email.js"');
  const field = /<input[^>]*id="ask-email"[^>]*>.*?<\/section>/.exec(html)?.[0];
  expect(field).toContain('data-field="email"');
  expect(field).toMatch(/data-meant="Did you mean \{email\}\?" hidden=""/);
  expect(drawn("closed.paid")).not.toContain("/email.js");
});

test.each([
  "closed.in_use",
  "closed.paid",
  "closed.limit",
  "closed.expired",
  "closed.off",
  "closed.canceled",
  "closed.voided",
  "closed.no_method",
  "closed.no_boleto",
] as const)("%s says what the link is about", (state) => {
  const html = drawn(state);
  expect(ABOUT.filter((told) => !html.includes(told))).toEqual([]);
});

test.each(["closed.unknown", "closed.error"] as const)("%s says nothing of any link", (state) => {
  const html = drawn(state);
  expect(ABOUT.filter((told) => html.includes(told))).toEqual([]);
});

test.each(["closed.no_boleto", "closed.off", "closed.paid"] as const)("%s links the shop's site once", (state) => {
  expect(drawn(state).match(/https:\/\/mercado\.example/g)).toHaveLength(1);
});
