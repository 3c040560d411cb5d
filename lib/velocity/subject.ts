import { networkOf } from "@/lib/addresses";
import { visitDigest } from "@/lib/velocity/address";

/** Who pays which link, as card testing is counted. */
export interface CardSubject {
  /** The link; of a payment without one, the public key that makes it. */
  sessionId: string;
  /** The public key that pays, the first of its chain. */
  key?: string;
  merchantId: string;
  /** The value of the visit's cookie; on the API, which has none, whatever is the same for one buyer. */
  visit: string;
  ip: string;
  amount: number;
  captchaEnabled: boolean;
  /** The page of one subscription: whoever presses there is one buyer. */
  isOfSubscription?: boolean;
}

export interface Counted {
  key?: string;
  sessionId: string;
  merchantId: string;
  visit: string;
  ip: string;
  amount: number;
}

/** A public key alone has no visits: all of an address are one buyer, who is slowed but not shut out. */
export const hasVisits = ({ key, sessionId }: Pick<Counted, "key" | "sessionId">): boolean => key !== sessionId;

export const counted = ({ sessionId, key, merchantId, visit, ip, amount }: CardSubject): Counted => ({
  ...(key === undefined ? {} : { key }),
  sessionId,
  merchantId,
  visit: visitDigest(visit),
  ip: networkOf(ip),
  amount,
});
