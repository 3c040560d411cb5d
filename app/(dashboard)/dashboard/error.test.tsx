import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import ErrorPage from "@/app/(dashboard)/dashboard/error";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";

const shown = (error: Error & { digest?: string }): string =>
  renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <ErrorPage error={error} retry={() => undefined} />
    </WordsProvider>,
  );

test.each(["Failed to fetch", "NetworkError when attempting to fetch resource.", "Load failed"])(
  "a form whose request was lost (%s) says so, and what to look at before it is sent again",
  (message) => {
    const text = shown(new TypeError(message));
    expect(text).toContain(messages.en.ui.unreachableTitle);
    expect(text).toContain("check its result");
    expect(text).not.toContain(messages.en.ui.errorText);
  },
);

test("what failed at the server is told with its reference", () => {
  const text = shown(Object.assign(new TypeError("fetch failed"), { digest: "4711" }));
  expect(text).toContain(messages.en.ui.errorText);
  expect(text).toContain("4711");
});
