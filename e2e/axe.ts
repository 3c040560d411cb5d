import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const VIEWER_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const PAGE_RULES = [...VIEWER_RULES, "best-practice"];
/** What can differ between two looks of one screen; the rest of it is the same. */
const LOOK_RULES = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

/** The whole of a screen, once in all journeys; `isOurs` false: somebody else's viewer, whose headings are its own. */
export const expectAccessible = (page: Page, what = "", isOurs = true): Promise<void> =>
  expectNone(page, (axe) => axe.withTags(isOurs ? PAGE_RULES : VIEWER_RULES), what);

/** The same screen in other colours or of another size. */
export const expectReadable = (page: Page, what = ""): Promise<void> =>
  expectNone(page, (axe) => axe.withRules(LOOK_RULES), what);

/** The dialog that stands open alone, by what its page's code calls it: `links/[id]?answer` (dialogs.spec.ts). */
export async function expectGoodDialog(page: Page, what: string): Promise<void> {
  await expect(page.locator("dialog:modal")).toBeVisible();
  await expectNone(page, (axe) => axe.withTags(PAGE_RULES).include("dialog[open]"), what);
}

async function expectNone(page: Page, rules: (axe: AxeBuilder) => AxeBuilder, what: string): Promise<void> {
  await expectDrawn(page);
  const axe = rules(new AxeBuilder({ page }));
  // In the page itself: otherwise each pass opens a second page to put its findings together.
  const { violations } = await axe.setLegacyMode().analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" | ")}`);
  expect(told, what).toEqual([]);
}

/** What was just changed is on the screen, and fades no more: between two looks some colours are the former ones. */
const expectDrawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    // What stands in closed details is not drawn, and its animations wait with it.
    const isDrawn = ({ effect }: Animation) => !(effect instanceof KeyframeEffect) || effect.target?.checkVisibility();
    const ending = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity && isDrawn(one));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

export async function expectNoSidewaysScroll(page: Page, what = ""): Promise<void> {
  const extra = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(extra, { message: `${what} scrolls sideways` }).toBeLessThanOrEqual(0);
}
