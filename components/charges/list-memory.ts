/** The list a payment was opened from, so that its page can go to the one before and after it. */
export interface ListMemory {
  address: string;
  hrefs: string[];
}

const PLACE = "trilho.payments";

export function rememberList(memory: ListMemory): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(memory));
  } catch {
    // A browser that keeps nothing has no neighbours to go to.
  }
}

export function recallList(): ListMemory | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    if (typeof kept !== "object" || kept === null || !("address" in kept) || !("hrefs" in kept)) return undefined;
    const { address, hrefs } = kept;
    if (typeof address !== "string" || !Array.isArray(hrefs)) return undefined;
    return { address, hrefs: hrefs.filter((href) => typeof href === "string") };
  } catch {
    return undefined;
  }
}
