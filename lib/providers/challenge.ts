/** The buyer before the page of the issuer, and back. */

export interface ThreeDSRequest {
  /** Of this installation: what the browser brings there is given to `continueAuthentication`. */
  returnUrl: string;
  /** A page of our own checkout, which then carries out every step itself; absent where the buyer pays elsewhere. */
  deviceUrl?: string;
  requiresLiabilityShift?: boolean;
  data?: unknown;
}

export type NextAction = {
  /** What the provider must be told again together with what the browser brings. */
  kept?: Readonly<Record<string, string>>;
} & (
  | { type: "redirect"; url: string; method?: "GET" | "POST"; fields?: Readonly<Record<string, string>> }
  /** A hidden page of the issuer's, which looks at the browser and goes on to `deviceUrl`. */
  | { type: "device"; url: string; fields: Readonly<Record<string, string>> }
);

/** Whether the issuer's hidden page came to its end, as EMV 3-D Secure calls it. */
export type DeviceSeen = "Y" | "N";
