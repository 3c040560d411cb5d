import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { AuditRow } from "@/lib/audit-trail/queries";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const OBJECT_TEXTS = {
  account: "objectAccount",
  card: "objectCard",
  charge: "objectCharge",
  customer: "objectCustomer",
  dispute: "objectDispute",
  flow: "objectFlow",
  invitation: "objectInvitation",
  link_settings: "objectLinkSettings",
  merchant: "objectMerchant",
  monitor: "objectMonitor",
  operator: "objectOperator",
  payment_batch: "objectPayout",
  payout: "objectPayout",
  payout_file: "objectPayoutFile",
  payout_return: "objectPayoutReturn",
  platform_fee: "objectPlatformFee",
  prepayment: "objectPrepayment",
  provider: "objectProvider",
  public_key: "objectPublicKey",
  purchase: "objectPurchase",
  refund_limit: "objectCharge",
  report: "objectReport",
  report_address: "objectReportAddress",
  report_definition: "objectReport",
  role: "objectRole",
  sale_plan: "objectSalePlan",
  secret_key: "objectSecretKey",
  seller: "objectSeller",
  seller_document: "objectSellerDocument",
  session: "objectSession",
  settlement_break: "objectBreak",
  statement_file: "objectStatement",
  subscription: "objectSubscription",
  transaction: "objectCharge",
  vendor: "objectVendor",
  view: "objectView",
  webhook: "objectWebhook",
  webhook_delivery: "objectDelivery",
} as const;
const isKnown = (object: string): object is keyof typeof OBJECT_TEXTS => Object.hasOwn(OBJECT_TEXTS, object);

const TEAM = "/dashboard/settings/team";
const at =
  (path: string) =>
  (id: string): string =>
    `${path}/${id}`;

/** Where an object has a page, and whom it is open to. */
const PLACES: Readonly<Record<string, readonly [href: (id: string) => string, right: Right]>> = {
  charge: [at("/dashboard/payments"), "payments.see"],
  purchase: [at("/dashboard/payments"), "payments.see"],
  refund_limit: [at("/dashboard/payments"), "payments.see"],
  session: [at("/dashboard/links"), "payments.see"],
  customer: [at("/dashboard/customers"), "payments.see"],
  subscription: [at("/dashboard/subscriptions"), "subscriptions.see"],
  dispute: [at("/dashboard/disputes"), "disputes.see"],
  flow: [at("/dashboard/flows"), "flows.see"],
  merchant: [at("/dashboard/merchants"), "merchants.see"],
  seller: [at("/dashboard/sellers"), "sellers.see"],
  sale_plan: [at("/dashboard/sellers/plans"), "sellers.see"],
  settlement_break: [at("/dashboard/finance/breaks"), "finance.see"],
  statement_file: [at("/dashboard/finance/statements"), "finance.see"],
  payment_batch: [at("/dashboard/payouts/batches"), "payouts.see"],
  prepayment: [at("/dashboard/payouts/prepayments"), "payouts.see"],
  webhook: [at("/dashboard/developers/webhooks"), "webhooks.see"],
  webhook_delivery: [at("/dashboard/developers/webhooks/deliveries"), "webhooks.see"],
  monitor: [at("/dashboard/settings/alerts"), "monitors.see"],
  report: [at("/dashboard/reports"), "reports.create"],
  secret_key: [() => "/dashboard/developers/keys", "keys.manage"],
  public_key: [() => "/dashboard/developers/keys", "keys.manage"],
  operator: [() => TEAM, "team.manage"],
  invitation: [() => TEAM, "team.manage"],
  role: [() => `${TEAM}/roles`, "team.manage"],
};

const SHORT_ID = 8;

interface AuditObjectProps {
  row: Pick<AuditRow, "action" | "object" | "objectId">;
  role: OperatorRole;
  /** What people call it, where it has a name of its own. */
  name: string | undefined;
  /** In full on the page of an entry. */
  isWhole?: boolean;
}

/** What an entry is about: its kind with its name or the beginning of its id, which leads to its page where there is one. */
export async function AuditObject({ row: { action, object, objectId }, role, name, isWhole }: AuditObjectProps) {
  const t = await getTranslations("audit");
  const [href, right] = PLACES[object] ?? [];
  const isGone = action === `${object}.delete`;
  const content = (
    <>
      {isKnown(object) ? t(OBJECT_TEXTS[object]) : object}{" "}
      {name ? (
        <span className="font-medium">{name}</span>
      ) : isWhole || object === "account" ? null : (
        <code className="font-mono text-xs">{objectId.slice(0, SHORT_ID)}</code>
      )}
    </>
  );
  return (
    <>
      {href && right && may(role, right) && !isGone ? (
        <Link
          href={href(objectId)}
          prefetch={false}
          title={objectId}
          className="relative z-10 rounded-sm text-accent-ink underline-offset-4 hover:underline"
        >
          {content}
        </Link>
      ) : (
        <span title={objectId}>{content}</span>
      )}
      {isWhole ? <code className="block break-all font-mono text-ink-2 text-xs">{objectId}</code> : null}
    </>
  );
}
