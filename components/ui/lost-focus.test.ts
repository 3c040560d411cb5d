import { afterEach, describe, expect, test, vi } from "vitest";
import { catchLostFocus } from "@/components/ui/lost-focus";

interface Place {
  tabIndex: number;
  focus: ReturnType<typeof vi.fn>;
}

const place = (): Place => ({ tabIndex: 0, focus: vi.fn() });
const MESSAGE = "main [data-outcome]";
const HEADING = "main h1";

function pageWith(places: Readonly<Record<string, Place>>, focused?: object): void {
  const body = {};
  vi.stubGlobal("document", {
    body,
    activeElement: focused ?? body,
    querySelector: (selector: string) => places[selector] ?? null,
  });
}

describe("focus that went with what held it", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("goes to the message of what was done, which is no stop of the Tab key", () => {
    const [message, heading] = [place(), place()];
    pageWith({ [MESSAGE]: message, [HEADING]: heading });
    catchLostFocus();
    expect(message.focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: false });
    expect(message.tabIndex).toBe(-1);
    expect(heading.focus).not.toHaveBeenCalled();
  });

  test("goes to the page's heading where nothing was done, and the page does not move", () => {
    const heading = place();
    pageWith({ [HEADING]: heading });
    catchLostFocus();
    expect(heading.focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true });
  });

  test("stays where somebody has it", () => {
    const message = place();
    pageWith({ [MESSAGE]: message }, {});
    catchLostFocus();
    expect(message.focus).not.toHaveBeenCalled();
  });

  test("stays lost on a page without either", () => {
    pageWith({});
    expect(catchLostFocus).not.toThrow();
  });
});
