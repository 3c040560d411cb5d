import type { Check, CheckName } from "@/lib/going-live/check";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

interface Place {
  href: (merchantId: string) => string;
  right: Right;
  only?: "sandbox";
}

const MERCHANTS = "/dashboard/merchants";
const to = (href: string, right: Right): Place => ({ href: () => href, right });
const ofMerchant = (doing: string): Place => ({
  href: (id) => `${MERCHANTS}/${id}?do=${doing}`,
  right: "merchants.edit",
});
const merchant: Place = { href: (id) => `${MERCHANTS}/${id}`, right: "merchants.see" };

/** Where an item is settled; none where only whoever runs the installation can. */
const PLACES: Readonly<Record<CheckName, Place | undefined>> = {
  secondFactors: to("/dashboard/settings/team", "team.manage"),
  owners: to("/dashboard/settings/team?do=invite", "team.manage"),
  liveAccount: undefined,
  mail: undefined,
  notices: to("/dashboard/notices/choices", "payments.see"),
  keysScoped: to("/dashboard/developers/keys", "keys.manage"),
  keysInUse: to("/dashboard/developers/keys", "keys.manage"),
  publicKeys: to("/dashboard/developers/keys", "keys.manage"),
  webhooks: to("/dashboard/developers/webhooks", "webhooks.see"),
  trialPaid: { ...to("/dashboard/links/new", "links.edit"), only: "sandbox" },
  trialDeclined: { ...to("/dashboard/developers/sandbox", "sandbox.control"), only: "sandbox" },
  trialRefunded: { ...to("/dashboard/payments?status=authorized", "payments.see"), only: "sandbox" },
  company: ofMerchant("edit"),
  provider: ofMerchant("add"),
  connection: merchant,
  notification: merchant,
  adapter: merchant,
  flow: to("/dashboard/flows", "flows.see"),
  brand: { href: (id) => `/dashboard/settings/brand?merchant=${id}`, right: "brand.edit" },
  payout: ofMerchant("payouts"),
};

/** For whoever may open it. */
export function placeOf(
  { name }: Check,
  { role, mode, merchantId = "" }: { role: OperatorRole; mode: "sandbox" | "live"; merchantId?: string },
): string | undefined {
  const place = PLACES[name];
  if (!place || (place.only && place.only !== mode) || !may(role, place.right)) return undefined;
  return place.href(merchantId);
}
