/** The buyer before the page of the issuer, and back. */

export interface ThreeDSRequest {
  /** Of this installation: what the browser brings there is given to `continueAuthentication`. */
  returnUrl: string;
  requiresLiabilityShift?: boolean;
  data?: unknown;
}
export type NextAction =
  | { type: "redirect"; url: string; method?: "GET" | "POST" }
  | { type: "three_ds"; data: unknown };
