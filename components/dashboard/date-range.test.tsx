import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { DateRange } from "@/components/dashboard/date-range";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";

vi.mock("next/navigation", async (load) => ({
  ...(await load<typeof import("next/navigation")>()),
  useRouter: () => ({}),
  usePathname: () => "/dashboard",
  useSearchParams: () => new URLSearchParams(),
}));

test("what is wrong with the days is said by the page: the browser holds none of them back", () => {
  const html = renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <DateRange
        path="/dashboard"
        label="Other days"
        from="2026-11-10"
        to="2030-01-01"
        kept={[]}
        problem="Not yet"
        texts={{ from: "From", to: "to", action: "Show" }}
      />
    </WordsProvider>,
  );
  expect(html).toContain("Not yet");
  expect(html).not.toMatch(/ (max|min|required)=/);
});
