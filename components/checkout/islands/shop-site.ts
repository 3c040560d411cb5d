/**
 * <trilho-checkout session="…">: the checkout in a frame on a shop's own page. Runs there, so it touches nothing but its
 * own element, and believes nothing that does not come from the frame it made.
 */

/** The address under which links live, put in front by the server that hands this file out. */
declare const TRILHO_CHECKOUT: string;

const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const RETURNED = /^[0-9a-f-]{36}\.[\w-]{22}$/;
const THEMES = ["light", "dark"];
const FIRST_HEIGHT = 560;
const MOST_HEIGHT = 20_000;
/** A frame that says nothing for so long is not allowed on this site, or not reached. */
const PATIENCE_MS = 15_000;
interface Words {
  readonly named: string;
  readonly failed: string;
  readonly again: string;
}
const WORDS: Readonly<Record<"pt-BR" | "en", Words>> = {
  "pt-BR": {
    named: "Pagamento",
    failed: "Não foi possível carregar o pagamento. Recarregue a página ou tente de novo mais tarde.",
    again: "Tentar de novo",
  },
  en: {
    named: "Payment",
    failed: "The payment could not be loaded. Reload the page or try again later.",
    again: "Try again",
  },
};

const origin = new URL(TRILHO_CHECKOUT).origin;

/** Back from a bank's page: the payment that its buyer goes on with, said once in the address of this page. */
const returned = new URL(location.href).searchParams.get("trilho_payment") ?? "";
if (RETURNED.test(returned)) {
  const url = new URL(location.href);
  url.searchParams.delete("trilho_payment");
  history.replaceState(history.state, "", url);
}
function returnedTo(session: string): string {
  const [of, token] = returned.split(".");
  return RETURNED.test(returned) && of === session.toLowerCase() ? `/p/${token}` : "";
}

class TrilhoCheckout extends HTMLElement {
  static readonly observedAttributes = ["session", "lang", "method", "theme"];
  readonly #root = this.attachShadow({ mode: "open" });
  #frame: HTMLIFrameElement | undefined;
  /** Stands in the frame's place where nothing came. */
  #note: HTMLElement | undefined;
  #state = "";
  /** Attributes that were there from the start are told of before that. */
  #isShown = false;
  #patience = 0;
  /** Outcomes told already: a page that is shown again tells them again. */
  #told = new Set<string>();

  connectedCallback(): void {
    addEventListener("message", this.#hear);
    this.#isShown = true;
    this.#show();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#hear);
    this.#isShown = false;
    this.#clear();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.#isShown && before !== after) this.#show();
  }

  #clear(): void {
    clearTimeout(this.#patience);
    this.#frame?.remove();
    this.#frame = undefined;
    this.#note?.remove();
    this.#note = undefined;
    this.#state = "";
    this.#told.clear();
  }

  #show(): void {
    this.#clear();
    const session = this.getAttribute("session") ?? "";
    if (session === "") return;
    if (getComputedStyle(this).display === "inline") this.style.display = "block";
    const lang = this.getAttribute("lang") ?? (this.closest("[lang]")?.getAttribute("lang") || "pt-BR");
    const spoken = lang.toLowerCase().startsWith("pt") ? "pt-BR" : "en";
    if (!SESSION.test(session)) {
      this.#fail(WORDS[spoken], "invalid_session", "this is not the id of a session");
      return;
    }
    const address = new URL(`${TRILHO_CHECKOUT}/${session}${returnedTo(session)}`);
    const theme = this.getAttribute("theme") ?? "";
    address.searchParams.set("embed", THEMES.includes(theme) ? theme : "1");
    address.searchParams.set("lang", spoken);
    const method = this.getAttribute("method");
    if (method) address.searchParams.set("method", method);
    const frame = document.createElement("iframe");
    frame.title = WORDS[spoken].named;
    frame.allow = "clipboard-write";
    frame.referrerPolicy = "no-referrer";
    Object.assign(frame.style, { display: "block", width: "100%", border: "0", height: `${FIRST_HEIGHT}px` });
    frame.src = address.href;
    this.#root.append(frame);
    this.#frame = frame;
    const causes = `is ${location.origin} the companyUrl of the shop, is there such a session, does the network reach ${origin}?`;
    this.#patience = window.setTimeout(() => this.#fail(WORDS[spoken], "not_loaded", causes), PATIENCE_MS);
  }

  /** In words, where a browser shows its own sad page or nothing. What still comes takes their place. */
  #fail({ failed, again }: Words, code: string, causes: string): void {
    console.warn(`trilho-checkout ${code}: ${causes}`);
    const note = document.createElement("div");
    note.setAttribute("role", "alert");
    note.style.padding = "1rem 0";
    const line = document.createElement("p");
    line.textContent = failed;
    line.style.marginTop = "0";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = again;
    Object.assign(button.style, { font: "inherit", minHeight: "44px", padding: "0 1rem" });
    button.addEventListener("click", () => this.#show());
    note.append(line, button);
    if (this.#frame) this.#frame.style.display = "none";
    this.#note = note;
    this.#root.append(note);
    this.#tell("failure", { code, payment: null });
  }

  /** From our checkout, and from the very frame that is ours: any window may send anything. */
  readonly #hear = ({ origin: from, source, data }: MessageEvent): void => {
    if (from !== origin || !this.#frame || source !== this.#frame.contentWindow) return;
    if (typeof data !== "object" || data === null || data.source !== "trilho") return;
    switch (data.type) {
      case "ready":
        clearTimeout(this.#patience);
        this.#note?.remove();
        this.#frame.style.display = "block";
        this.#frame.contentWindow?.postMessage({ source: "trilho", from: location.href }, origin);
        this.#once("ready", "", {});
        break;
      case "size":
        this.#fit(data.height);
        break;
      case "state":
        this.#turn(String(data.state));
        break;
      case "success":
        this.#once("success", String(data.payment), { status: String(data.status), payment: String(data.payment) });
        break;
      case "failure":
        this.#tell("failure", {
          code: String(data.code),
          payment: data.payment === null ? null : String(data.payment),
        });
        break;
    }
  };

  /** Another page stands in the frame now, and is read from its top. */
  #turn(state: string): void {
    if (this.#state !== "" && state !== this.#state && this.getBoundingClientRect().top < 0) this.scrollIntoView();
    this.#state = state;
    this.#tell("state", { state });
  }

  #fit(height: unknown): void {
    if (typeof height !== "number" || !(height > 0) || !this.#frame) return;
    const fitting = Math.min(Math.ceil(height), MOST_HEIGHT);
    this.#frame.style.height = `${fitting}px`;
    this.#tell("resize", { height: fitting });
  }

  #once(type: string, which: string, detail: object): void {
    const key = `${type} ${which}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#tell(type, detail);
  }

  #tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail: { session: this.getAttribute("session"), ...detail } }));
  }
}

if (!customElements.get("trilho-checkout")) customElements.define("trilho-checkout", TrilhoCheckout);

export {};
