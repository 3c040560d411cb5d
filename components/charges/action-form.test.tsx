import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ActionForm } from "@/components/charges/action-form";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";

const TEXTS = { button: "Refund", template: "Refund {amount}", plain: "Refund", back: "Back", newPlan: "New plan" };

test("a reason is required for whoever reads the form, and an empty one is told what to do", () => {
  const page = renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <ActionForm
        hidden={{}}
        isDangerous
        onAct={async () => ({})}
        closeHref="/"
        reason={{ label: "Reason", hint: "Required. Recorded.", missing: "Enter the reason.", suggestions: [] }}
        texts={TEXTS}
      />
    </WordsProvider>,
  );
  const [field = ""] = /<input[^>]*name="reason"[^>]*>/.exec(page) ?? [];
  expect(field).toMatch(/ required=""/);
  expect(field).toContain('data-missing="Enter the reason."');
  const [, hint] = /aria-describedby="([^"]+)"/.exec(field) ?? [];
  expect(page).toMatch(new RegExp(`id="${hint}"[^>]*>Required\\.`));
});
