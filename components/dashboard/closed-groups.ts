/** The groups of the navigation that a person keeps closed, in their browser. */
export const CLOSED_GROUPS_COOKIE = "trilho-closed";
const SEPARATOR = ".";
const YEAR_SECONDS = 31_536_000;

export const closedGroupsIn = (cookie: string | undefined): string[] => cookie?.split(SEPARATOR).filter(Boolean) ?? [];

export function keepClosed(groups: readonly string[]): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the store with an interface of its own is not in every browser
  document.cookie = `${CLOSED_GROUPS_COOKIE}=${groups.join(SEPARATOR)}; path=/dashboard; max-age=${YEAR_SECONDS}; samesite=lax`;
}
