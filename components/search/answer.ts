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
  note: string | undefined;
}
