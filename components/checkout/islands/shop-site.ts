/**
 * <trilho-checkout session="…">: the checkout in a frame on a shop's own page. Runs there, so it touches nothing but its
 * own element, and believes nothing that does not come from the frame it made.
 */

/** The address under which links live, put in front by the server that hands this file out. */
declare const TRILHO_CHECKOUT: string;

const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const RETURNED = /^[0-9a-f-]{36}\.[\w-]{22}$/;
const FIRST_HEIGHT = 560;
const MOST_HEIGHT = 20_000;
/** A frame that says nothing for so long is not allowed on this site, or not reached. */
const PATIENCE_MS = 15_000;
const TITLES: Readonly<Record<string, string>> = { pt: "Pagamento", en: "Payment" };

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
  static readonly observedAttributes = ["session", "lang", "method"];
  readonly #root = this.attachShadow({ mode: "open" });
  #frame: HTMLIFrameElement | undefined;
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
    this.#told.clear();
  }

  #show(): void {
    this.#clear();
    const session = this.getAttribute("session") ?? "";
    if (session === "") return;
    if (!SESSION.test(session)) {
      this.#tell("failure", { code: "invalid_session", payment: null });
      return;
    }
    const lang = this.getAttribute("lang") ?? (this.closest("[lang]")?.getAttribute("lang") || "pt-BR");
    const spoken = lang.toLowerCase().startsWith("pt") ? "pt-BR" : "en";
    const address = new URL(`${TRILHO_CHECKOUT}/${session}${returnedTo(session)}`);
    address.searchParams.set("embed", "1");
    address.searchParams.set("lang", spoken);
    const method = this.getAttribute("method");
    if (method) address.searchParams.set("method", method);
    const frame = document.createElement("iframe");
    frame.title = TITLES[spoken.slice(0, 2)] ?? "";
    frame.allow = "clipboard-write";
    frame.referrerPolicy = "no-referrer";
    Object.assign(frame.style, { display: "block", width: "100%", border: "0", height: `${FIRST_HEIGHT}px` });
    if (getComputedStyle(this).display === "inline") this.style.display = "block";
    frame.src = address.href;
    this.#root.append(frame);
    this.#frame = frame;
    this.#patience = window.setTimeout(() => this.#tell("failure", { code: "not_loaded", payment: null }), PATIENCE_MS);
  }

  /** From our checkout, and from the very frame that is ours: any window may send anything. */
  readonly #hear = ({ origin: from, source, data }: MessageEvent): void => {
    if (from !== origin || !this.#frame || source !== this.#frame.contentWindow) return;
    if (typeof data !== "object" || data === null || data.source !== "trilho") return;
    switch (data.type) {
      case "ready":
        clearTimeout(this.#patience);
        this.#frame.contentWindow?.postMessage({ source: "trilho", from: location.href }, origin);
        this.#once("ready", "", {});
        break;
      case "size":
        this.#fit(data.height);
        break;
      case "state":
        this.#tell("state", { state: String(data.state) });
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
