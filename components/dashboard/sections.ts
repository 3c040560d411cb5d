/** The sections, in their order; one stands here from the day its page exists. `letter` follows `g` on the keyboard. */
export const SECTIONS = [
  { name: "home", href: "/dashboard", letter: "h", group: "money" },
  { name: "payments", href: "/dashboard/payments", letter: "p", group: "money" },
  { name: "reviews", href: "/dashboard/reviews", letter: "v", group: "money" },
  { name: "disputes", href: "/dashboard/disputes", letter: "i", group: "money" },
  { name: "links", href: "/dashboard/links", letter: "l", group: "money" },
  { name: "customers", href: "/dashboard/customers", letter: "k", group: "money" },
  { name: "merchants", href: "/dashboard/merchants", letter: "m", group: "setup" },
  { name: "keys", href: "/dashboard/developers/keys", letter: "y", group: "setup" },
  { name: "webhooks", href: "/dashboard/developers/webhooks", letter: "w", group: "setup" },
  { name: "requests", href: "/dashboard/developers/requests", letter: "d", group: "setup" },
  { name: "sandbox", href: "/dashboard/developers/sandbox", letter: "x", group: "setup" },
  { name: "proof", href: "/dashboard/proof", letter: "o", group: "account" },
  { name: "audit", href: "/dashboard/audit", letter: "u", group: "account" },
  { name: "settings", href: "/dashboard/settings", letter: "t", group: "account" },
] as const;

export type Section = (typeof SECTIONS)[number]["name"];
