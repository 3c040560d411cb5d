/** What the server answers the search box, in finished words. */
export interface SearchItem {
  href: string;
  title: string;
  status?: string;
  detail: string;
  at?: string;
}
export interface SearchGroup {
  title: string;
  icon: "payment" | "customer" | "merchant";
  items: SearchItem[];
}
export interface SearchAnswer {
  groups: SearchGroup[];
  /** Something took too long and was left out: nothing found is not yet nothing there. */
  isPartial: boolean;
  note: string | undefined;
}
