import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SubscriptionPage } from "@/components/checkout/subscription-page";
import { NO_COLOURS } from "@/lib/branding/palette";
import type { SubscriptionPageView } from "@/lib/checkout/subscription-view";
import type { Frame } from "@/lib/checkout/view";

const FRAME: Frame = {
  locale: "en",
  nonce: "n",
  base: "/s/1",
  languages: { "pt-BR": "?lang=pt-BR", en: "?lang=en" },
  shop: { name: "Mercado", logo: null, siteUrl: "https://m.example", supportEmail: null, colours: NO_COLOURS },
  isSandbox: false,
  isEmbedded: false,
  scheme: null,
  embedder: null,
  script: (name) => `/${name}.js`,
  currency: "BRL",
};
const VIEW: SubscriptionPageView = {
  name: "Ouro",
  amount: 4_990,
  interval: "monthly",
  items: [],
  card: null,
  receiptsTo: null,
  now: { kind: "next", on: "2027-01-10" },
  reason: null,
  counted: null,
  past: [],
  owed: null,
  mayCancel: false,
  brands: [],
  captcha: null,
  notice: null,
  values: {},
  done: null,
  token: "t",
};

test.each([false, true])("the shop's site is linked once (may cancel here: %s)", (mayCancel) => {
  const html = renderToStaticMarkup(<SubscriptionPage frame={FRAME} view={{ ...VIEW, mayCancel }} />);
  expect(html.match(/https:\/\/m\.example/g)).toHaveLength(1);
});
