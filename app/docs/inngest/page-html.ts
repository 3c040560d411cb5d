import { assetPath } from "@/app/docs/assets/files";
import { bar } from "@/app/docs/page-html";
import { block, escaped, inline, paragraph, section } from "@/app/docs/webhooks/markup";
import type { Theme } from "@/lib/i18n/theme";

interface EngineTexts {
  title: string;
  lead: string;
  start: string;
  reference: string;
  navigation: string;
  contents: string;
  sections: { id: string; title: string; paragraphs: string[]; code?: string }[];
}

/** A guide for whoever runs an installation: text and commands, no script. */
export function enginePage({ locale, theme, texts }: { locale: string; theme: Theme; texts: EngineTexts }): string {
  const { title, sections } = texts;
  return `<!doctype html>
<html lang="${escaped(locale)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Trilho</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="${assetPath("inter.woff2")}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetPath("reference.css")}">
<link rel="stylesheet" href="${assetPath("guide.css")}">
</head>
<body>
${bar({ start: texts.start, here: title, navigation: texts.navigation, links: [["/docs", texts.reference]] })}
<div class="guide">
<nav class="contents" aria-label="${escaped(texts.contents)}"><ul>
${sections.map((one) => `<li><a href="#${one.id}">${escaped(one.title)}</a></li>`).join("\n")}
</ul></nav>
<main>
<h1>${escaped(title)}</h1>
<p class="lead">${inline(texts.lead)}</p>
${sections
  .map((one) =>
    section(one.id, one.title, ...one.paragraphs.map(paragraph), one.code ? block(one.code, one.title) : ""),
  )
  .join("\n")}
</main>
</div>
</body>
</html>
`;
}
