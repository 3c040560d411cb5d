export const DASHBOARD = "/dashboard";

/** Where to go after signing in: only within the dashboard, so that a link cannot send people elsewhere. */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || !URL.canParse(asked, "http://here")) return DASHBOARD;
  const url = new URL(asked, "http://here");
  const isOurs = url.host === "here" && (url.pathname === DASHBOARD || url.pathname.startsWith(`${DASHBOARD}/`));
  return isOurs ? `${url.pathname}${url.search}` : DASHBOARD;
}
