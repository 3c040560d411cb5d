import { env } from "@/lib/env";
import { SELLER_PATH } from "@/lib/seller-access/links";
import { SELLER_SESSION_SECONDS } from "@/lib/seller-access/sessions";

/** Sent to a seller's own pages and nowhere else: the dashboard never sees it. */
export function sellerCookie() {
  const isSecure = env().BASE_URL.startsWith("https://");
  return {
    name: isSecure ? "__Secure-trilho.seller" : "trilho.seller",
    options: {
      httpOnly: true,
      sameSite: "lax",
      path: SELLER_PATH,
      secure: isSecure,
      maxAge: SELLER_SESSION_SECONDS,
    } as const,
  };
}
