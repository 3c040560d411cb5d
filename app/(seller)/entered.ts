import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { sellerCookie } from "@/app/(seller)/cookie";
import { addressOf } from "@/app/request-origin";
import { SELLER_PATH } from "@/lib/seller-access/links";
import { type EnteredSeller, findSellerSession } from "@/lib/seller-access/sessions";

/** Who opened the page, once per request; every page and every action asks by itself. */
export const findEntered = cache(async (): Promise<EnteredSeller | undefined> => {
  const secret = (await cookies()).get(sellerCookie().name)?.value;
  if (!secret) return undefined;
  return findSellerSession(secret, addressOf(await headers()));
});

export async function requireEntered(): Promise<EnteredSeller> {
  return (await findEntered()) ?? redirect(SELLER_PATH);
}
