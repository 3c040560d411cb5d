import { afterEach, expect, test, vi } from "vitest";
import { forgetDone } from "@/components/ui/outcome";

afterEach(() => vi.unstubAllGlobals());

function addressAfter(href: string): string {
  const window = {
    location: { href },
    history: {
      replaceState: (_state: unknown, _title: string, next: URL) => {
        window.location.href = String(next);
      },
    },
  };
  vi.stubGlobal("window", window);
  forgetDone();
  return window.location.href;
}

test("what was done is told once: the rest of the address stays", () => {
  const page = "https://trilho.example/dashboard/links/1";
  expect(addressAfter(`${page}?done=created&for=2`)).toBe(`${page}?for=2`);
  expect(addressAfter(`${page}?done=created`)).toBe(page);
  expect(addressAfter(`${page}?do=refund`)).toBe(`${page}?do=refund`);
});
