import { networkOf, visitDigest } from "@/lib/velocity/address";

/** Who pays which link, as card testing is counted. */
export interface CardSubject {
  sessionId: string;
  merchantId: string;
  /** The value of the visit's cookie; on the API, which has none, whatever is the same for one buyer. */
  visit: string;
  ip: string;
  amount: number;
  captchaEnabled: boolean;
}

export interface Counted {
  sessionId: string;
  merchantId: string;
  visit: string;
  ip: string;
  amount: number;
}

export const counted = ({ sessionId, merchantId, visit, ip, amount }: CardSubject): Counted => ({
  sessionId,
  merchantId,
  visit: visitDigest(visit),
  ip: networkOf(ip),
  amount,
});
