import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  askWith,
  forgetTyped,
  isLostBy,
  keepTyped,
  type LeavingQuestion,
  mayLose,
  noteTyped,
  sendTyped,
} from "@/components/dashboard/unsaved";

const HERE = "https://app.example/dashboard/links/new";

test.each<[string, string, string, boolean, boolean]>([
  ["another page", HERE, "/dashboard/links", false, true],
  ["another page, of a dialog", `${HERE}?do=create`, "/dashboard/links", true, true],
  ["the page under a dialog", `${HERE}?do=create`, HERE, true, true],
  ["the same dialog of something else", `${HERE}?do=edit&id=1`, `${HERE}?do=edit&id=2`, true, true],
  ["a dialog over the page", HERE, `${HERE}?do=create`, false, false],
  ["the page without its dialog, of the page", `${HERE}?do=create`, HERE, false, false],
  ["the page with what was done", HERE, `${HERE}?done=saved`, false, false],
  ["the page of something else", `${HERE}?merchant=1`, `${HERE}?merchant=2`, false, true],
])("%s", (_, here, to, isInDialog, isLost) => {
  expect(isLostBy(new URL(to, here), new URL(here), isInDialog)).toBe(isLost);
});

class Form {
  isConnected = true;
  isWork = true;
  matches = () => this.isWork;
}
class Field extends EventTarget {
  type = "text";
  autocomplete = "off";
  defaultValue = "";
  defaultChecked = false;
  checked = false;
  isConnected = true;
  value = "";
  isIn = "";
  focus = vi.fn();
  constructor(
    readonly form: Form,
    given: Partial<Field> = {},
  ) {
    super();
    Object.assign(this, given);
    this.addEventListener("input", noteTyped);
  }
  closest = (name: string) => (name === this.isIn ? {} : null);
  checkVisibility = () => true;
  typed(changes: Partial<Pick<Field, "value" | "checked">>): void {
    Object.assign(this, changes);
    this.dispatchEvent(new Event("input"));
  }
}
class Choice extends Field {
  override type = "select-one";
  options = [
    { value: "1", defaultSelected: false },
    { value: "3", defaultSelected: true },
  ];
}
class Other {}

describe("what is half filled in", () => {
  const asked: LeavingQuestion[] = [];
  let stop: () => void;
  let form: Form;
  const window = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
  const again = vi.fn();
  const elsewhere = new URL("/dashboard/payments", HERE);
  const isAsked = (to = elsewhere): boolean => !mayLose(to, again);
  /** The form as its hook knows it. */
  const sent = (): HTMLFormElement => Object.assign(form) satisfies HTMLFormElement;

  beforeEach(() => {
    asked.length = 0;
    form = new Form();
    vi.stubGlobal("HTMLInputElement", Field);
    vi.stubGlobal("HTMLSelectElement", Choice);
    vi.stubGlobal("HTMLTextAreaElement", Other);
    vi.stubGlobal("location", new URL(HERE));
    vi.stubGlobal("window", window);
    again.mockClear();
    stop = askWith((question) => asked.push(question));
  });
  afterEach(() => {
    forgetTyped(sent());
    stop();
    vi.unstubAllGlobals();
  });

  test("is asked about once, and what was wanted follows when it is discarded", () => {
    new Field(form).typed({ value: "Mesa" });
    expect(isAsked()).toBe(true);
    expect(again).not.toHaveBeenCalled();
    asked[0]?.onDiscard();
    expect(again).toHaveBeenCalledOnce();
    expect(isAsked()).toBe(false);
  });

  test("stays where it is for whoever keeps editing, in the field that they left", () => {
    const [name, amount] = [new Field(form), new Field(form)];
    name.typed({ value: "Mesa" });
    amount.typed({ value: "900" });
    expect(isAsked()).toBe(true);
    asked[0]?.onKeep();
    expect(amount.focus).toHaveBeenCalledOnce();
    expect(name.focus).not.toHaveBeenCalled();
    expect(isAsked()).toBe(true);
  });

  test("is not what is again as it was: a text, a tick, a choice", () => {
    const [name, tick, choice] = [
      new Field(form, { defaultValue: "Mesa", value: "Mesa" }),
      new Field(form, { type: "checkbox", defaultChecked: true, checked: true }),
      new Choice(form, { value: "3" }),
    ];
    name.typed({ value: "Cadeira" });
    tick.typed({ checked: false });
    choice.typed({ value: "1" });
    expect(isAsked()).toBe(true);
    name.typed({ value: "Mesa" });
    choice.typed({ value: "3" });
    expect(isAsked()).toBe(true);
    // Only a tick is left: nothing was typed.
    expect(asked.map(({ isTyped }) => isTyped)).toEqual([true, false]);
    tick.typed({ checked: true });
    expect(isAsked()).toBe(false);
  });

  test("is neither a search nor a password that is known anyway", () => {
    form.isWork = false;
    new Field(form).typed({ value: "Ana" });
    form.isWork = true;
    new Field(form, { type: "password", autocomplete: "current-password" }).typed({ value: "secret" });
    expect(isAsked()).toBe(false);
  });

  test("is not lost on the page it stands in, unless a dialog holds it", () => {
    new Field(form).typed({ value: "Mesa" });
    expect(isAsked(new URL(`${HERE}?do=share`))).toBe(false);
    new Field(form, { isIn: "dialog" }).typed({ value: "Mesa" });
    expect(isAsked(new URL(`${HERE}?do=share`))).toBe(true);
  });

  test("once sent is lost by nothing, but after a refusal it is as it was before", () => {
    new Field(form).typed({ value: "Mesa" });
    sendTyped(sent());
    expect(isAsked()).toBe(false);
    keepTyped(sent());
    expect(isAsked()).toBe(true);
    forgetTyped(sent());
    expect(isAsked()).toBe(false);
  });

  test("is watched for when the tab closes only while there is something", () => {
    const field = new Field(form);
    field.typed({ value: "Mesa" });
    expect(window.addEventListener).toHaveBeenCalledWith("beforeunload", expect.any(Function));
    window.removeEventListener.mockClear();
    field.typed({ value: "" });
    expect(window.removeEventListener).toHaveBeenCalledWith("beforeunload", expect.any(Function));
  });
});
