export const DASHBOARD = "/dashboard";

const HERE = "http://here";
/** What the framework adds to the address of a page that it fetches itself. */
const FETCHED = "_rsc";

/** A page with the query it was asked for with, which opens its dialogs; `path` is what the page calls itself. */
export function askedPath(path: string, asked: string | null): string {
  if (asked === null || !URL.canParse(asked, HERE)) return path;
  const url = new URL(asked, HERE);
  if (url.origin !== HERE || url.pathname !== new URL(path, HERE).pathname) return path;
  if (url.searchParams.has(FETCHED)) url.searchParams.delete(FETCHED);
  return `${url.pathname}${url.search}`;
}

/** Where to go after signing in: only within the dashboard, so that a link cannot send people elsewhere. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || !URL.canParse(asked, HERE)) return DASHBOARD;
  const url = new URL(asked, HERE);
  const isOurs = url.host === "here" && (url.pathname === DASHBOARD || url.pathname.startsWith(`${DASHBOARD}/`));
  return isOurs ? `${url.pathname}${url.search}` : DASHBOARD;
}
