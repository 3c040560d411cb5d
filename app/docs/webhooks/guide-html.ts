import { assetPath } from "@/app/docs/assets/files";
import { block, escaped, inline, paragraph, section, table } from "@/app/docs/webhooks/markup";
import { readSnippet, SNIPPETS } from "@/app/docs/webhooks/snippets";
import type { GuideTexts } from "@/app/docs/webhooks/texts/shape";
import { EVENT_CATALOGUE, type EventDeclaration } from "@/lib/event-catalogue/catalogue";
import { exampleOf } from "@/lib/event-catalogue/example";
import type { Theme } from "@/lib/i18n/theme";

interface Guide {
  locale: string;
  theme: Theme;
  baseUrl: string;
  texts: GuideTexts;
}

/** Like the reference: a page without React and without scripts. */
export function guidePage({ locale, theme, baseUrl, texts }: Guide): string {
  const at = (code: string): string => code.replaceAll("{{baseUrl}}", baseUrl);
  const sections = [
    ["start", texts.five.title, five(texts, at)],
    [
      "register",
      texts.register.title,
      texts.register.paragraphs.map(paragraph).join("") + code(at(texts.register.code), texts.register.title),
    ],
    ["delivery", texts.delivery.title, facts(texts.delivery.rows)],
    ["schedule", texts.schedule.title, schedule(texts)],
    ["order", texts.order.title, texts.order.paragraphs.map(paragraph).join("")],
    ["signatures", texts.signatures.title, signatures(texts)],
    ["verify", texts.verify.title, verify(texts)],
    [
      "again",
      texts.again.title,
      texts.again.paragraphs.map(paragraph).join("") + code(at(texts.again.code), texts.again.title),
    ],
    ["addresses", texts.addresses.title, texts.addresses.paragraphs.map(paragraph).join("")],
    ["catalogue", texts.catalogue.title, catalogue(texts)],
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
<header class="bar">
<a class="home" href="/" aria-label="${escaped(texts.start)}">
<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><g stroke="currentColor" stroke-width="3" stroke-linecap="round"><path d="M8 2v20"/><path d="M8 16.5c0-6 8.5-5 8.5-14.5"/></g><circle cx="16.5" cy="19.5" r="2.5" fill="var(--signal)"/></svg>
<span>Trilho</span></a>
<span class="here">${escaped(texts.title)}</span>
<nav aria-label="${escaped(texts.navigation)}"><a href="/docs">${escaped(texts.reference)}</a></nav>
</header>
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

const code = block;

const five = ({ five: { title, intro, steps, after } }: GuideTexts, at: (code: string) => string): string =>
  `${paragraph(intro)}<ol class="steps">${steps
    .map((step) => `<li>${paragraph(step.text)}${step.code ? code(at(step.code), title) : ""}</li>`)
    .join("\n")}</ol>${paragraph(after)}`;

const facts = (rows: readonly (readonly string[])[]): string =>
  `<dl>${rows.map(([subject = "", rule = ""]) => `<div><dt>${inline(subject)}</dt><dd>${inline(rule)}</dd></div>`).join("\n")}</dl>`;

const schedule = ({ schedule: { intro, attempt, after, delays, end } }: GuideTexts): string =>
  paragraph(intro) +
  table(
    [attempt, after],
    delays.map((delay, index) => [String(index + 1), delay]),
  ) +
  end.map(paragraph).join("");

const signatures = ({ signatures: { intro, header, value, rows, end } }: GuideTexts): string =>
  paragraph(intro) +
  table(
    [header, value],
    rows.map(([name = "", meaning = ""]) => [`\`${name}\``, meaning]),
  ) +
  paragraph(end);

const verify = ({ verify: { intro, file } }: GuideTexts): string =>
  paragraph(intro) +
  SNIPPETS.map(
    (
      snippet,
      index,
    ) => `<details name="verify"${index === 0 ? " open" : ""}><summary>${escaped(snippet.language)}</summary>
${code(readSnippet(snippet.file), snippet.language)}
<p><a href="/docs/webhooks/${snippet.file}">${escaped(file)} ${snippet.file}</a></p></details>`,
  ).join("\n");

const INDENT = 2;

function catalogue({ catalogue: { intro, event, when, example } }: GuideTexts): string {
  const groups = new Map<string, EventDeclaration[]>();
  for (const declared of EVENT_CATALOGUE)
    groups.set(declared.object, [...(groups.get(declared.object) ?? []), declared]);
  const shown = [...groups].map(([object, events]) => {
    const [first] = events;
    return `<h3 id="event-${object}">${escaped(object)}</h3>${table(
      [event, when],
      events.map(({ name, when: moment }) => [`\`${name}\``, moment]),
    )}${
      first
        ? `<details><summary>${escaped(example)}: ${escaped(first.name)}</summary>${code(
            JSON.stringify(exampleOf(first), null, INDENT),
            first.name,
          )}</details>`
        : ""
    }`;
  });
  return paragraph(intro) + shown.join("\n");
}
