import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Ranking } from "@/components/insights/ranking";

const ranked = (detail: string | undefined) =>
  renderToStaticMarkup(
    <Ranking
      title="By method"
      none="None"
      tone="accent"
      items={[{ key: "credit", text: "Credit", value: "R$ 12.345,67", detail, share: 1 }]}
    />,
  );

test("the amount stands beside the name, and what is said of it below both, however long it is", () => {
  for (const detail of ["92%", "66.7% approved, of only 3"])
    expect(ranked(detail)).toMatch(
      new RegExp(`Credit</span><span[^>]*>R\\$ 12\\.345,67</span></div><p[^>]*>${detail.replaceAll(".", "\\.")}</p>`),
    );
  expect(ranked(undefined)).not.toContain("<p");
});

test("a long line makes no bar wider than its card", () => {
  expect(ranked("66.7%")).toMatch(/<ul class="[^"]*\bgrid-cols-1\b/);
});
