import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RememberMe } from "@/components/checkout/known";

test("whoever agrees to be remembered reads that a code will be asked for", () => {
  const html = renderToStaticMarkup(<RememberMe locale="en" form="pix" isChosen={false} isKnown={false} />);
  expect(html).toContain("Next time, we send a code to your e-mail before filling them in.");
});
