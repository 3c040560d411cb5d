import type { BrowserContext, Request } from "@playwright/test";
import { ACS, cresOf } from "@/lib/testing/providers/adyen/objects";

/** How the bank's hidden page behaves: leads back to ours, or never comes to its end. */
type Looks = "back" | "never";

export interface Bank {
  /** What its pages were posted, in order. */
  readonly heard: readonly { page: "device" | "challenge"; asked: Record<string, unknown> }[];
  looks: Looks;
}

const decoded = (text: string): Record<string, unknown> =>
  // Guarantee: our page posts what the adapter wrote.
  JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Record<string, unknown>;
const formIn = (request: Request) => Object.fromEntries(new URLSearchParams(request.postData() ?? ""));

const page = (body: string) => ({
  contentType: "text/html; charset=utf-8",
  body: `<!doctype html><html lang="pt-BR"><title>Banco</title>${body}</html>`,
});
const form = (id: string, to: string, fields: Record<string, string>, label = "") =>
  `<form id="${id}" method="post" action="${to.replaceAll("&", "&amp;")}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join("")}${label ? `<button>${label}</button>` : ""}</form>`;

/**
 * The buyer's bank, on a site of its own: the two pages of EMV 3-D Secure. It answers to where the acquirer was told
 * that the challenge's answer goes.
 */
export async function openBank(
  context: BrowserContext,
  answersTo: (asked: Record<string, unknown>) => string,
): Promise<Bank> {
  const heard: { page: "device" | "challenge"; asked: Record<string, unknown> }[] = [];
  const bank: Bank = { heard, looks: "back" };
  await context.route(`${ACS}/device`, async (route) => {
    const asked = decoded(formIn(route.request()).threeDSMethodData ?? "");
    heard.push({ page: "device", asked });
    if (bank.looks === "never") return route.fulfill(page("<p>…</p>"));
    const threeDSMethodData = Buffer.from(JSON.stringify({ threeDSServerTransID: asked.threeDSServerTransID }));
    const to = String(asked.threeDSMethodNotificationURL);
    const back = form("back", to, { threeDSMethodData: threeDSMethodData.toString("base64url") });
    return route.fulfill(page(`${back}<script>back.submit()</script>`));
  });
  await context.route(`${ACS}/challenge`, (route) => {
    const { creq = "" } = formIn(route.request());
    const asked = decoded(creq);
    heard.push({ page: "challenge", asked });
    const to = answersTo(asked);
    const answers =
      form("yes", to, { cres: cresOf(creq, "Y") }, "Confirmar") +
      form("no", to, { cres: cresOf(creq, "N") }, "Recusar");
    return route.fulfill(page(`<h1>Seu banco</h1>${answers}`));
  });
  return bank;
}
