/** What TRILHO_KEK seals and the database keeps: each has its columns in lib/keys/columns.ts. */
export const KEPT = {
  dataKey: "vault data key",
  cvvKey: "cvv key",
  vaultKey: "vault key",
  credentials: "provider-credentials",
  webhookKey: "webhook key",
  totp: "operator totp",
  sellerDocument: "seller document key",
} as const;

/** Sealed for minutes, and kept by a browser or nobody. */
export const PASSING = { sessionTicket: "session ticket", companySignIn: "company sign-in" } as const;

export type Purpose = (typeof KEPT)[keyof typeof KEPT] | (typeof PASSING)[keyof typeof PASSING];
