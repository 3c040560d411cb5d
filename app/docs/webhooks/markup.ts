const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** `code` and [text](/address) of the page's own texts; everything else is text. */
export const inline = (text: string): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, '<a href="$2">$1</a>');

export const paragraph = (text: string): string => `<p>${inline(text)}</p>`;

/** A keyboard reaches what is wider than the screen. */
export const block = (code: string, label: string): string =>
  `<pre tabindex="0" role="group" aria-label="${escaped(label)}"><code>${escaped(code.trimEnd())}</code></pre>`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => `
<div class="wide" tabindex="0" role="group" aria-label="${escaped(head.join(", "))}"><table>
<thead><tr>${head.map((title) => `<th scope="col">${inline(title)}</th>`).join("")}</tr></thead>
<tbody>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${inline(cell)}</td>`).join("")}</tr>`).join("\n")}</tbody>
</table></div>`;

export const section = (id: string, title: string, ...content: readonly string[]): string =>
  `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"><a href="#${id}">${escaped(title)}</a></h2>
${content.join("\n")}</section>`;
