import { expect, test } from "vitest";
import { STYLE } from "@/components/checkout/style";

/** Colours that lib/branding has measured against the words that stand on them. */
const SOLVED =
  /^(?:var\(--brand-(?:background|surface|primary|success|error|attention-surface)\)|var\(--tint,var\(--brand-surface\)\)|transparent|none|#fff)$/;

test("words stand on measured surfaces alone: nothing behind them is mixed or filtered by the browser", () => {
  const grounds = [...STYLE.matchAll(/background(?:-color)?:([^;}]*)/g)].map(([, ground = ""]) =>
    ground.replace("!important", ""),
  );
  expect(grounds.length).toBeGreaterThan(20);
  expect(grounds.filter((ground) => !SOLVED.test(ground))).toEqual([]);
  expect(STYLE).not.toMatch(/[^-]filter:/);
  expect(STYLE).toContain("::placeholder{color:var(--brand-muted);opacity:1}");
});

test("money and numbers are shown whole: the words beside them wrap", () => {
  expect(STYLE).toContain(".row .whole{flex:none;max-width:70%}");
  expect(STYLE).toContain(".row .sums{overflow-wrap:normal;min-width:min-content}");
  expect(STYLE).toContain(".items span{flex:1 1 7rem;min-width:min-content}.items .each{overflow-wrap:normal}");
});

test("on the narrowest phones the number of a house has room for what is said of it", () => {
  expect(STYLE).toContain("@media(max-width:22.5rem){.f.s2,.f.s4{grid-column:1/-1}}");
});

test("a box that is not ticked is as empty as a field, in dark colours too", () => {
  const box = /\.keep input:not\(:checked\)\{([^}]*)\}/.exec(STYLE)?.[1];
  expect(box).toContain("appearance:none");
  expect(box).toContain("background:var(--brand-background)");
  expect(box).toContain("border:2px solid var(--brand-border)");
});
