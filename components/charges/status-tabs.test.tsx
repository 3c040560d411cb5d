import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StatusTabs } from "@/components/charges/status-tabs";

test("many tabs stand on two lines where a screen is not a phone's: none is out of sight", () => {
  const tabs = ["Matched", "Waiting", "All"].map((text) => ({ href: `/${text}`, text, isHere: text === "All" }));
  const page = renderToStaticMarkup(<StatusTabs label="State" tabs={tabs} />);
  const names = /<ul class="([^"]*)"/.exec(page)?.[1]?.split(" ");
  expect(names).toEqual(expect.arrayContaining(["min-w-max", "md:min-w-0", "md:flex-wrap"]));
});
