import { assetPath } from "@/app/docs/assets/files";
import type { Theme } from "@/lib/i18n/theme";

interface ReferencePage {
  locale: string;
  theme: Theme;
  texts: {
    title: string;
    start: string;
    purchases: string;
    webhooks: string;
    embed: string;
    inngest: string;
    openapi: string;
    dashboard: string;
    noScript: string;
    navigation: string;
    copy: string;
    keyValue: string;
  };
}

/** Outside React on purpose: the viewer brings its own runtime, and the page then needs no inline script. */
export function referencePage({ locale, theme, texts }: ReferencePage): string {
  const text = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, escaped(value)]));
  return `<!doctype html>
<html lang="${escaped(locale)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text.title} · Trilho</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="${assetPath("inter.woff2")}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetPath("reference.css")}">
</head>
<body>
${bar({
  start: texts.start,
  here: texts.title,
  navigation: texts.navigation,
  links: [
    ["/docs/webhooks", texts.webhooks],
    ["/docs/purchases", texts.purchases],
    ["/docs/embed", texts.embed],
    ["/docs/inngest", texts.inngest],
    ["/openapi.json", texts.openapi],
    ["/dashboard", texts.dashboard],
  ],
})}
<div id="reference" data-document="/openapi.json" data-copy="${text.copy}" data-key-value="${text.keyValue}"></div>
<noscript><p class="notice">${text.noScript}</p></noscript>
<script src="${assetPath("viewer.js")}" defer></script>
<script src="${assetPath("reference.js")}" defer></script>
</body>
</html>
`;
}

/** The bar on top of every page of the documentation. */
export function bar(words: {
  start: string;
  here: string;
  navigation: string;
  links: readonly (readonly [href: string, text: string])[];
}): string {
  const links = words.links.map(([href, text]) => `<a href="${href}">${escaped(text)}</a>`);
  return `<header class="bar">
<a class="home" href="/" aria-label="${escaped(words.start)}">
<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><g stroke="currentColor" stroke-width="3" stroke-linecap="round"><path d="M8 2v20"/><path d="M8 16.5c0-6 8.5-5 8.5-14.5"/></g><circle cx="16.5" cy="19.5" r="2.5" fill="var(--signal)"/></svg>
<span>Trilho</span></a>
<span class="here">${escaped(words.here)}</span>
<nav aria-label="${escaped(words.navigation)}">${links.join("")}</nav>
</header>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
