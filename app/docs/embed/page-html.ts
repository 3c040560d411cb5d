import { assetPath } from "@/app/docs/assets/files";
import type { EmbedTexts } from "@/app/docs/embed/texts/shape";
import { bar } from "@/app/docs/page-html";
import { block, escaped, inline, paragraph, section, table } from "@/app/docs/webhooks/markup";
import type { Theme } from "@/lib/i18n/theme";

interface EmbedPage {
  locale: string;
  theme: Theme;
  /** Of the checkout, which may have an address of its own. */
  baseUrl: string;
  apiUrl: string;
  texts: EmbedTexts;
}

const elementCode = (baseUrl: string): string =>
  `<script src="${baseUrl}/embed.js" async></script>\n<trilho-checkout session="0192f1c0-1111-7aaa-8bbb-000000000001"></trilho-checkout>`;

const registerCode = (apiUrl: string): string => `curl ${apiUrl}/v1/settings \\
  -H "X-Client-Id: $CLIENT_ID" -H "X-Api-Key: $API_KEY" -H "content-type: application/json" \\
  -d '{"companyUrl":"https://shop.example"}'`;

const LISTEN = `const checkout = document.querySelector("trilho-checkout");
checkout.addEventListener("success", ({ detail }) => {
  location.assign(\`/thanks?session=\${detail.session}\`);
});
checkout.addEventListener("failure", ({ detail }) => {
  console.log(detail.code);
});`;

/** A page of text: it runs nothing. */
export function embedPage({ locale, theme, baseUrl, apiUrl, texts }: EmbedPage): string {
  const { page, site, attributes, events, safety } = texts;
  const sections = [
    ["page", page.title, paragraph(page.before) + block(elementCode(baseUrl), page.title) + paragraph(page.after)],
    [
      "site",
      site.title,
      site.paragraphs.map(paragraph).join("") +
        paragraph(site.before) +
        block(registerCode(apiUrl), site.title) +
        paragraph(site.after),
    ],
    ["attributes", attributes.title, table([attributes.name, attributes.meaning], attributes.rows)],
    [
      "events",
      events.title,
      paragraph(events.before) +
        table([events.name, events.meaning], events.rows) +
        table([events.states.name, events.states.meaning], events.states.rows) +
        paragraph(events.listen) +
        block(LISTEN, events.title) +
        paragraph(events.after),
    ],
    ["security", safety.title, safety.paragraphs.map(paragraph).join("")],
  ] as const;
  return `<!doctype html>
<html lang="${escaped(locale)}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(texts.title)} · Trilho</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" href="${assetPath("inter.woff2")}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetPath("reference.css")}">
<link rel="stylesheet" href="${assetPath("guide.css")}">
</head>
<body>
${bar({ start: texts.start, here: texts.title, navigation: texts.navigation, links: [["/docs", texts.reference]] })}
<div class="guide">
<nav class="contents" aria-label="${escaped(texts.contents)}"><ul>
${sections.map(([id, title]) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join("\n")}
</ul></nav>
<main>
<h1>${escaped(texts.title)}</h1>
<p class="lead">${inline(texts.lead)}</p>
${sections.map(([id, title, content]) => section(id, title, content)).join("\n")}
</main>
</div>
</body>
</html>
`;
}
