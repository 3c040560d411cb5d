import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RequestList } from "@/components/dashboard/request-list";

test("a day with a time of seconds has room in its column", () => {
  const texts = { caption: "c", status: "s", request: "r", duration: "d", key: "k", date: "When", none: "–" };
  expect(renderToStaticMarkup(<RequestList rows={[]} texts={texts} />)).toMatch(/class="[^"]*\bw-52 [^"]*">When</);
});
