import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Badge } from "@/components/ui/badge";
import { CardHeader } from "@/components/ui/card";

test("a badge that says a sentence wraps on a phone, and stays on one line elsewhere", () => {
  const page = renderToStaticMarkup(<Badge>Test failed on 30 Nov 2026, 14:38 (real time): no answer</Badge>);
  expect(page).toMatch(/class="[^"]*\bwhitespace-nowrap\b[^"]*\bmax-sm:whitespace-normal\b/);
});

test("the buttons of a narrow card stand on several lines", () => {
  const page = renderToStaticMarkup(<CardHeader title="Details" actions={<button type="button">Edit</button>} />);
  expect(page).toMatch(/class="flex min-w-0 flex-wrap [^"]*"><button/);
});
