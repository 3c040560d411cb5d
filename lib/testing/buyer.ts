import { type SandboxBrand, type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";

/** A page as it came, and the words a person reads on it. */
export interface Shown {
  readonly path: string;
  readonly status: number;
  readonly html: string;
  readonly text: string;
  readonly headers: Headers;
  readonly heading: string;
  /** `data-state` of the page. */
  readonly state: string;
}

export interface Buyer {
  open(path: string): Promise<Shown>;
  /** Sends a form of a page as a browser without scripts does, with its hidden fields, and follows where it leads. */
  send(shown: Shown, action: string, fields?: Record<string, string>): Promise<Shown>;
  /** As the page's own script sends it. */
  sendByScript<T>(shown: Shown, action: string, fields?: Record<string, string>): Promise<T>;
  json<T>(path: string): Promise<T>;
}

export interface Habits {
  readonly language?: "pt-BR" | "en";
  readonly keepsCookies?: boolean;
  readonly ip?: string;
}

/** Only the path of it counts: where pages come from is the one who serves them to say. */
const HOST = "http://trilho.test";
const MOST_REDIRECTS = 5;

/** Somebody with a browser, a language and a cookie jar; every buyer is a visit of its own. */
export function visitorOf(serve: (request: Request) => Promise<Response>, habits: Habits = {}): Buyer {
  const { language = "pt-BR", keepsCookies = true, ip = "203.0.113.7" } = habits;
  const jar = new Map<string, string>();
  const ask = async (method: string, path: string, body?: URLSearchParams, accept = "text/html"): Promise<Response> => {
    const headers = new Headers({
      accept,
      "accept-language": language,
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": ip,
    });
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const answer = await serve(new Request(new URL(path, HOST), { method, headers, body: body?.toString() ?? null }));
    for (const cookie of keepsCookies ? answer.headers.getSetCookie() : []) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      jar.set(name, value);
    }
    return answer;
  };
  const follow = async (path: string, answer: Response, left = MOST_REDIRECTS): Promise<Shown> => {
    const location = answer.headers.get("location");
    if (answer.status !== 303 || location === null) return shownOf(path, answer);
    if (left === 0) throw new Error(`${path} leads in circles`);
    return follow(location, await ask("GET", location), left - 1);
  };
  return {
    open: async (path) => follow(path, await ask("GET", path)),
    send: async (shown, action, fields = {}) =>
      follow(shown.path, await ask("POST", addressOf(shown, action), formOf(shown, action, fields))),
    sendByScript: async (shown, action, fields = {}) =>
      (await ask("POST", addressOf(shown, action), formOf(shown, action, fields), "application/json")).json(),
    json: async (path) => (await ask("GET", path, undefined, "application/json")).json(),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
/** What React wrote, read back. */
export const unescaped = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#x27);/g, (all, name: string) => ENTITIES[name] ?? all);

/** Everything between tags that is shown, in reading order. */
export const textOf = (html: string): string =>
  unescaped(
    html
      .replace(/<(style|script|noscript|head)\b[\s\S]*?<\/\1>/g, " ")
      .replace(/<(p|button|output)\b[^>]*\shidden=""[^>]*>[\s\S]*?<\/\1>/g, " ")
      .replace(/<[^>]*>/g, " "),
  )
    .replaceAll("\u00a0", " ")
    .replace(/\s+/g, " ")
    .trim();

async function shownOf(path: string, answer: Response): Promise<Shown> {
  const html = await answer.text();
  return {
    path,
    status: answer.status,
    html,
    headers: answer.headers,
    text: textOf(html),
    heading: textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? ""),
    state: /<body data-state="([^"]*)"/.exec(html)?.[1] ?? "",
  };
}

const FORMS = /<form\b[^>]*\saction="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g;

/** Where the forms of a page go, by the last word of their addresses. */
export const formsOf = ({ html }: Shown): string[] =>
  [...html.matchAll(FORMS)].map(([, address = ""]) => unescaped(address).split("/").at(-1) ?? "");

function formNamed({ html, path }: Shown, action: string): { address: string; inner: string } {
  for (const [, address = "", inner = ""] of html.matchAll(FORMS)) {
    if (address.split("?")[0]?.endsWith(`/${action}`)) return { address: unescaped(address), inner };
  }
  throw new Error(`${path} has no form for ${action}: ${textOf(html)}`);
}

const addressOf = (shown: Shown, action: string): string => formNamed(shown, action).address;
function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

/** The values a form holds as it came. */
export function valuesOf(shown: Shown, action: string): Record<string, string> {
  const { inner } = formNamed(shown, action);
  const inputs = [...inner.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]) => {
    const name = attribute(tag, "name");
    const isLeftOut = attribute(tag, "type") === "checkbox" && !/\schecked=""/.test(tag);
    return name === undefined || isLeftOut ? [] : [[name, attribute(tag, "value") ?? ""] as const];
  });
  const selects = [...inner.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)].flatMap(
    ([, tag = "", options = ""]) => {
      const name = attribute(tag, "name");
      const chosen = [...options.matchAll(/<option\b[^>]*>/g)].find(([option]) => /\sselected=""/.test(option));
      return name === undefined ? [] : [[name, attribute(chosen?.[0] ?? "", "value") ?? ""] as const];
    },
  );
  return Object.fromEntries([...inputs, ...selects]);
}

const formOf = (shown: Shown, action: string, fields: Record<string, string>): URLSearchParams =>
  new URLSearchParams({ ...valuesOf(shown, action), ...fields });

export const PERSON = { name: "Ana Souza", document: "123.456.789-09" } as const;

/** A card of the simulator as a buyer types it; the captcha that a decline asks for is solved as sandboxes may. */
export function cardFields(
  outcome: SandboxOutcome = "approve",
  { card, brand = "visa" }: { card?: number; brand?: SandboxBrand } = {},
): Record<string, string> {
  const suffix = card === undefined ? "" : String(card);
  return {
    [`cardNumber${suffix}`]: sandboxPan(outcome, brand),
    [`cardHolderName${suffix}`]: "ANA SOUZA",
    [`cardExpiration${suffix}`]: "12/39",
    [`cardCvv${suffix}`]: brand === "amex" ? "1230" : "120",
    document: PERSON.document,
    captcha: "sandbox-ok",
  };
}

/** The second and the third card are of other brands: the same number twice would be one card. */
export const severalCards = (outcomes: readonly SandboxOutcome[]): Record<string, string> =>
  Object.assign(
    {},
    ...outcomes.map((outcome, card) => cardFields(outcome, { card, brand: BRANDS[card % BRANDS.length] ?? "visa" })),
  );
const BRANDS: readonly SandboxBrand[] = ["visa", "mastercard", "elo"];

export const pathOf = ({ id }: { id: string }, query = ""): string => `/pay/${id}${query}`;
