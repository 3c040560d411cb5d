import type { FrameLocator, Page } from "@playwright/test";

/** Of a shop's look: all of them are told at once. */
export const COLORS = {
  mainColor: "#1B4DFF",
  SecondaryColor: "#0B1F66",
  attentionColor: "#F5A623",
  errorColor: "#D0021B",
  successColor: "#1E9E5A",
  backgroundColor: "#FFFFFF",
};

interface Heard {
  type: string;
  detail: Record<string, unknown>;
}

/** A page of a shop with the element on it, that writes down what it hears. */
export async function visitShop(
  page: Page,
  site: string,
  session: string,
  baseURL: string,
  after = "",
): Promise<FrameLocator> {
  await page.route(`${site}/**`, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="pt-BR"><title>Loja</title><h1>Minha loja</h1>
<script>
  window.heard = [];
  addEventListener("DOMContentLoaded", () => {
    const element = document.querySelector("trilho-checkout");
    for (const type of ["ready", "resize", "state", "success", "failure"])
      element.addEventListener(type, ({ detail }) => heard.push({ type, detail }));
  });
</script>
<script src="${baseURL}/embed.js" defer></script>
<trilho-checkout session="${session}"></trilho-checkout>${after}</html>`,
    }),
  );
  await page.goto(`${site}/pagar`);
  return page.frameLocator("trilho-checkout iframe");
}

export const heard = (page: Page): Promise<Heard[]> =>
  // Guarantee: the page above makes the list.
  page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
export const typesHeard = async (page: Page): Promise<string[]> => (await heard(page)).map(({ type }) => type);
