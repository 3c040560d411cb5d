/** What the server answers the search box, in finished words. */
export interface SearchItem {
  href: string;
  title: string;
  /** Whoever it is of, where the title does not say it: stands first. */
  who?: string;
  status?: string;
  detail: string;
  at?: string;
}
export interface SearchGroup {
  title: string;
  /** Where everything that matches is listed. */
  all: { href: string; text: string } | undefined;
  icon: "payment" | "customer" | "link" | "subscription" | "seller" | "merchant" | "provider" | "flow";
  items: SearchItem[];
}
export interface SearchAnswer {
  groups: SearchGroup[];
  /** Something took too long and was left out: nothing found is not yet nothing there. */
  isPartial: boolean;
  note: string | undefined;
}
