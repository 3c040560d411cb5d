import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ReportForm } from "@/components/reports/report-form";
import { WordsProvider } from "@/components/ui/words";
import { messages } from "@/lib/i18n/messages";

const texts = {
  columns: "Columns",
  picker: { chosen: "", others: "", add: "", addAll: "", up: "", down: "", remove: "" },
  preview: "Preview",
  previewTitle: "Preview",
  create: "Create report",
  schedule: "Schedule report",
};

test("with a repetition the button says that it schedules: nothing is made now", () => {
  const html = renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <ReportForm hidden={{}} groups={[]} columns={[]} chosen={[]} onAct={async () => ({})} texts={texts} />
    </WordsProvider>,
  );
  const button = /<button[^>]*value="create".*?<\/button>/.exec(html)?.[0] ?? "";
  expect(
    [...button.matchAll(/:first-child:(\S+?)\)_&amp;\]:hidden">([^<]+)/g)].map(([, when, text]) => [when, text]),
  ).toEqual([
    ["not(:checked)", "Create report"],
    ["checked", "Schedule report"],
  ]);
});
