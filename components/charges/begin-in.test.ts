import { afterEach, describe, expect, test, vi } from "vitest";
import { beginIn } from "@/components/charges/begin-in";

const place = () => ({ focus: vi.fn() });
// Guarantee: nothing else of a dialog is asked for.
const dialogWith = (found: (selector: string) => object | null) =>
  ({ querySelector: found }) as unknown as HTMLDialogElement;
const on = (pointer: "fine" | "coarse") =>
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === `(pointer: ${pointer})` }));

describe.each(["fine", "coarse"] as const)("a dialog where the pointer is %s", (pointer) => {
  afterEach(() => vi.unstubAllGlobals());

  test("begins in its first field, and what is to be read above it stays in view", () => {
    on(pointer);
    const field = place();
    beginIn(
      dialogWith((selector) => (selector.startsWith("input") ? field : null)),
      false,
    );
    expect(field.focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: pointer === "coarse" });
  });

  test("begins in the first of its choices where it has no field, and nowhere where it is only read", () => {
    on(pointer);
    const choice = place();
    const dialog = dialogWith((selector) => (selector.startsWith("li") ? choice : null));
    beginIn(dialog, true);
    expect(choice.focus).not.toHaveBeenCalled();
    beginIn(dialog, false);
    expect(choice.focus).toHaveBeenCalledOnce();
  });
});
