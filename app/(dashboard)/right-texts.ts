import { getTranslations } from "next-intl/server";
import type { Right } from "@/lib/operators/permissions";

/** What each right lets a person do, for whoever gives it. */
export async function rightTexts(): Promise<Record<Right, string>> {
  const t = await getTranslations("rights");
  return {
    "payments.see": t("paymentsSee"),
    "buyers.see": t("buyersSee"),
    "payments.capture": t("paymentsCapture"),
    "payments.refund": t("paymentsRefund"),
    "payments.recheck": t("paymentsRecheck"),
    "sandbox.control": t("sandboxControl"),
    "ledger.see": t("ledgerSee"),
    "requests.see": t("requestsSee"),
    "disputes.see": t("disputesSee"),
    "disputes.note": t("disputesNote"),
    "reviews.resolve": t("reviewsResolve"),
    "customers.edit": t("customersEdit"),
    "customers.delete": t("customersDelete"),
    "merchants.see": t("merchantsSee"),
    "merchants.edit": t("merchantsEdit"),
    "flows.see": t("flowsSee"),
    "flows.edit": t("flowsEdit"),
    "flows.activate": t("flowsActivate"),
    "providers.pause": t("providersPause"),
    "keys.manage": t("keysManage"),
    "webhooks.see": t("webhooksSee"),
    "webhooks.resend": t("webhooksResend"),
    "webhooks.edit": t("webhooksEdit"),
    "links.edit": t("linksEdit"),
    "brand.edit": t("brandEdit"),
    "protection.edit": t("protectionEdit"),
    "monitors.see": t("monitorsSee"),
    "monitors.edit": t("monitorsEdit"),
    "sellers.see": t("sellersSee"),
    "sellers.edit": t("sellersEdit"),
    "sellers.documents": t("sellersDocuments"),
    "sellers.bank": t("sellersBank"),
    "plans.edit": t("plansEdit"),
    "subscriptions.see": t("subscriptionsSee"),
    "subscriptions.edit": t("subscriptionsEdit"),
    "team.manage": t("teamManage"),
    "proof.see": t("proofSee"),
    "audit.see": t("auditSee"),
    "audit.all": t("auditAll"),
  };
}
