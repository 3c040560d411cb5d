import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ShownOnce } from "@/components/tasks/task-form";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";

const shown = (file?: { name: string; text: string; button: string }): string =>
  renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <ShownOnce
        secret={{ label: "Codes", value: "ABCDE-FGHIJ\nKLMNO-PQRST", note: "Keep them.", ...(file ? { file } : {}) }}
        closeHref="/closed"
        texts={{ copy: "Copy", done: "Done" }}
      />
    </WordsProvider>,
  );

test("a secret is said what it is before it is shown, and can be copied", () => {
  const page = shown();
  expect(page.indexOf("Keep them.")).toBeLessThan(page.indexOf("ABCDE-FGHIJ"));
  expect(page).toContain('aria-label="Copy"');
  expect(page).not.toContain("download");
});

test("one that is offered as a file is that file, with or without scripts", () => {
  const text = "Códigos\n\nABCDE-FGHIJ\n";
  const page = shown({ name: "codes.txt", text, button: "Download" });
  const [, held = ""] = /href="data:text\/plain;charset=utf-8,([^"]*)" download="codes.txt"/.exec(page) ?? [];
  expect(decodeURIComponent(held)).toBe(text);
});
