import type { ChallengeShown } from "@/lib/providers/sandbox/api/challenge";

const TEXTS = {
  "pt-BR": {
    title: "Autenticação simulada",
    lead: "Esta página faz o papel do banco emissor. Nada aqui é real.",
    amount: "Valor da compra",
    go: "Continuar",
    over: "Esta autenticação já terminou.",
    back: "Voltar ao pagamento",
    missing: "Autenticação não encontrada.",
  },
  en: {
    title: "Simulated authentication",
    lead: "This page plays the issuing bank. Nothing here is real.",
    amount: "Amount of the purchase",
    go: "Continue",
    over: "This authentication is over.",
    back: "Back to the payment",
    missing: "Authentication not found.",
  },
} as const;
type Locale = keyof typeof TEXTS;

export const localeOf = (acceptLanguage: string | null): Locale =>
  acceptLanguage?.toLowerCase().startsWith("en") ? "en" : "pt-BR";

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
  body { display: grid; min-height: 100vh; margin: 0; place-items: center; }
  main { max-width: 24rem; padding: 2rem; }
  h1 { font-size: 1.25rem; }
  dt { opacity: 0.7; } dd { margin: 0 0 1.5rem; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
  button, .button { box-sizing: border-box; display: block; width: 100%; padding: 0.75rem 1.5rem; font: inherit;
    text-align: center; cursor: pointer; }`;

/** Of a client's texts only an address stands on this page. */
export function challengePage(shown: ChallengeShown | undefined, locale: Locale): string {
  const texts = TEXTS[locale];
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${texts.title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style></head>
<body><main><h1>${texts.title}</h1>${shown ? content(shown, locale) : `<p>${texts.missing}</p>`}</main></body>
</html>`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

function content({ amount, currency, isOpen, back }: ChallengeShown, locale: Locale): string {
  const texts = TEXTS[locale];
  const link = back ? `\n<a class="button" href="${escaped(back)}">${texts.back}</a>` : "";
  if (!isOpen) return `<p>${texts.over}</p>${link}`;
  const written = new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount / 100);
  return `<p>${texts.lead}</p><dl><dt>${texts.amount}</dt><dd>${written}</dd></dl>
<form method="post"><button type="submit">${texts.go}</button></form>`;
}
