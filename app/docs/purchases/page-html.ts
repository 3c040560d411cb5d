import { assetPath } from "@/app/docs/assets/files";
import { bar, escaped } from "@/app/docs/page-html";
import { diagramOf, OPERATION_PLACES, PURCHASE_PLACES, SLOT_PLACES } from "@/app/docs/purchases/diagram";
import type { Theme } from "@/lib/i18n/theme";
import type { Machine } from "@/lib/machine";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";

const PAGE_WORDS = ["title", "lead", "row", "change", "meaning", "diagram"] as const;
type PageWord = (typeof PAGE_WORDS)[number];

export interface PurchasesPage {
  locale: string;
  theme: Theme;
  texts: Record<PageWord | "start" | "navigation" | "reference" | "dashboard", string>;
  sections: Record<"purchases" | "slots" | "operations", { title: string; lead: string }>;
  /** What a fact means. */
  meaningOf: (fact: string) => string;
  /** Says which states have no way out. */
  finalStates: (states: string) => string;
}

/** The published tables of a purchase: everything but the words comes from the rows that the running code obeys. */
export function purchasesPage(page: PurchasesPage): string {
  const { locale, theme, texts, sections } = page;
  const text = (word: keyof typeof texts): string => escaped(texts[word]);
  return `<!doctype html>
<html lang="${escaped(locale)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text("title")} · Trilho</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="${assetPath("inter.woff2")}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetPath("reference.css")}">
<link rel="stylesheet" href="${assetPath("purchases.css")}">
</head>
<body>
${bar({
  start: texts.start,
  here: texts.title,
  navigation: texts.navigation,
  links: [
    ["/docs", texts.reference],
    ["/dashboard", texts.dashboard],
  ],
})}
<main>
<h1>${text("title")}</h1>
<p class="lead">${text("lead")}</p>
${section(page, "purchases", purchaseMachine, diagramOf(purchaseMachine, PURCHASE_PLACES, text("diagram")), sections.purchases)}
${section(page, "slots", slotMachine, diagramOf(slotMachine, SLOT_PLACES, text("diagram")), sections.slots)}
${section(page, "operations", operationMachine, diagramOf(operationMachine, OPERATION_PLACES, text("diagram")), sections.operations)}
</main>
</body>
</html>
`;
}

function section(
  { texts, meaningOf, finalStates }: PurchasesPage,
  id: string,
  { rows }: Machine<string>,
  diagram: string,
  { title, lead }: { title: string; lead: string },
): string {
  const heads = (["row", "change", "meaning"] as const).map((word) => `<th scope="col">${escaped(texts[word])}</th>`);
  const lines = rows.map(
    ([row, from, fact, to]) =>
      `<tr><th scope="row">${row}</th><td class="change"><code>${from}</code> <span>→</span> <code>${to}</code></td><td><code>${fact}</code><br>${escaped(meaningOf(fact))}</td></tr>`,
  );
  const ends = [...new Set(rows.map(([, , , to]) => to))].filter((state) => !rows.some(([, from]) => from === state));
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${escaped(title)}</h2>
<p>${escaped(lead)}</p>
<div class="wide" tabindex="0" role="group" aria-labelledby="${id}">${diagram}</div>
<div class="wide" tabindex="0" role="group" aria-labelledby="${id}"><table><thead><tr>${heads.join("")}</tr></thead><tbody>
${lines.join("\n")}
</tbody></table></div>
${ends.length > 0 ? `<p class="ends">${escaped(finalStates(ends.join(", ")))}</p>` : ""}
</section>`;
}
