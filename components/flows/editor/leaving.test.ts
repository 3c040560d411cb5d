import { expect, test } from "vitest";
import { type LinkClick, leavesPage } from "@/components/flows/editor/leaving";

const HERE = "https://app.example/dashboard/flows/1/edit";
const click = (changes: Partial<LinkClick> = {}): LinkClick => ({
  button: 0,
  hasModifier: false,
  href: "https://app.example/dashboard/payments",
  target: "",
  isDownload: false,
  ...changes,
});

test.each<[string, Partial<LinkClick>]>([
  ["a link of the menu", {}],
  ["a relative link", { href: "/dashboard" }],
  ["the way back to the flow", { href: "/dashboard/flows/1" }],
  ["a link that names its own tab", { target: "_self" }],
])("%s leaves the editor", (_, changes) => {
  expect(leavesPage(click(changes), HERE)).toBe(true);
});

test.each<[string, Partial<LinkClick>]>([
  ["another tab", { target: "_blank" }],
  ["another tab by a modifier", { hasModifier: true }],
  ["another button of the mouse", { button: 1 }],
  ["a download", { isDownload: true }],
  ["a place of the same page", { href: `${HERE}#steps` }],
  ["the same page with another query", { href: `${HERE}?done=saved` }],
  ["another origin, of which the browser asks", { href: "https://elsewhere.example/" }],
  ["what is no address", { href: "https://" }],
])("%s does not", (_, changes) => {
  expect(leavesPage(click(changes), HERE)).toBe(false);
});
