import { getTranslations } from "next-intl/server";
import { publicKeyEnd } from "@/app/(dashboard)/public-key-end";
import { systemDb } from "@/db/client";
import { folded } from "@/db/folded";
import { type KeyName, keyNames } from "@/lib/accounts/secret-keys";
import { namesOfObjects } from "@/lib/audit-trail/object-names";
import type { AuditRow, SaidAction } from "@/lib/audit-trail/queries";
import type { Context } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import { isUuid } from "@/lib/ids";
import { namesOf } from "@/lib/operators/names";
import { BY_BUYER } from "@/lib/subscriptions/reasons";

/** What was done, in words; an action that is not here yet is shown under its own name. */
const ACTION_TEXTS = {
  "account.addresses": "didAccountAddresses",
  "account.close": "didAccountClose",
  "account.close.propose": "didAccountClosePropose",
  "account.create": "didAccountCreate",
  "account.disable": "didAccountDisable",
  "account.enable": "didAccountEnable",
  "account.export": "didAccountExport",
  "account.limits": "didLimits",
  "account.limits.propose": "didLimitsPropose",
  "account.limits.refuse": "didLimitsRefuse",
  "account.limits.withdraw": "didLimitsWithdraw",
  "account.reopen": "didAccountReopen",
  "account.update": "didAccountUpdate",
  "approval.ask": "didApprovalAsk",
  "approval.refuse": "didApprovalRefuse",
  "card.delete": "didCardDelete",
  "card.unlink": "didCardUnlink",
  "card_testing.extended": "didCardTestingExtended",
  "card_testing.lifted": "didCardTestingLifted",
  "card_testing.limits": "didCardTestingLimits",
  "card_testing.paused": "didCardTestingPaused",
  "card_testing.protection": "didCardTestingProtection",
  "card_testing.reopened": "didCardTestingReopened",
  "charge.capture": "didChargeCapture",
  "charge.hand_back": "didChargeHandBack",
  "charge.hand_back.approve": "didChargeHandBackApprove",
  "charge.hand_back.propose": "didChargeHandBackPropose",
  "charge.hand_back.refuse": "didChargeHandBackRefuse",
  "charge.hand_back.withdraw": "didChargeHandBackWithdraw",
  "charge.new_link": "didNewLink",
  "charge.recheck": "didChargeRecheck",
  "charge.refund.approve": "didChargeRefundApprove",
  "charge.refund.begin": "didChargeRefundBegin",
  "charge.refund.give-up": "didChargeRefundGiveUp",
  "charge.refund.lapse": "didChargeRefundLapse",
  "charge.refund.propose": "didChargeRefundPropose",
  "charge.refund.refuse": "didChargeRefundRefuse",
  "charge.refund.withdraw": "didChargeRefundWithdraw",
  "charge.release_duplicate": "didChargeReleaseDuplicate",
  "charge.release_orphan": "didChargeReleaseLate",
  "charge.resolve": "didChargeResolve",
  "charge.resolve.propose": "didChargeResolvePropose",
  "charge.resolve.withdraw": "didResolveWithdraw",
  "charge.void": "didChargeVoid",
  "customer.delete": "didCustomerDelete",
  "customer.update": "didCustomerUpdate",
  "dispute.handled": "didDisputeHandled",
  "dispute.note": "didDisputeNote",
  "dispute.reopened": "didDisputeReopened",
  "flow.activated": "didFlowActivated",
  "flow.archived": "didFlowArchived",
  "flow.changed": "didFlowChanged",
  "flow.created": "didFlowCreated",
  "flow.guardrail": "didFlowGuardrail",
  "flow.merchants_left": "didFlowMerchantsLeft",
  "flow.replay_export": "didFlowReplayExport",
  "flow.restored": "didFlowRestored",
  "flow.test_removed": "didFlowTestRemoved",
  "flow.test_saved": "didFlowTestSaved",
  "link_request.answered": "didLinkRequestAnswered",
  "link_settings.create": "didLinkSettingsCreate",
  "link_settings.update": "didLinkSettingsUpdate",
  "list.export": "didListExport",
  "member.change": "didMemberChange",
  "member.invite": "didMemberInvite",
  "member.invite-again": "didMemberInviteAgain",
  "member.join": "didMemberJoin",
  "member.remove": "didMemberRemove",
  "member.uninvite": "didMemberUninvite",
  "merchant.create": "didMerchantCreate",
  "merchant.delete": "didMerchantDelete",
  "merchant.update": "didMerchantUpdate",
  "monitor.create": "didMonitorCreate",
  "monitor.delete": "didMonitorDelete",
  "monitor.mute": "didMonitorMute",
  "monitor.unmute": "didMonitorUnmute",
  "monitor.update": "didMonitorUpdate",
  "operator.bind": "didOperatorBind",
  "operator.change": "didOperatorChange",
  "operator.end-session": "didOperatorEndSession",
  "operator.end-sessions": "didOperatorEndSessions",
  "operator.sign-in": "didOperatorSignIn",
  "passkey.add": "didPasskeyAdd",
  "passkey.remove": "didPasskeyRemove",
  "passkey.rename": "didPasskeyRename",
  "password.change": "didPasswordChange",
  "password.reset": "didPasswordReset",
  "platform_fee.add": "didPlatformFeeAdd",
  "platform_fee.delete": "didPlatformFeeDelete",
  "platform_fee.replace": "didPlatformFeeReplace",
  "platform_fee.switch": "didPlatformFeeSwitch",
  "payments.export": "didPaymentsExport",
  "payout.mark_failed": "didPayoutMarkFailed",
  "payout.mark_paid": "didPayoutMarkPaid",
  "payout.mark_returned": "didPayoutMarkReturned",
  "refund_document.issue": "didRefundDocumentIssue",
  "payout.file_make": "didPayoutFileMake",
  "payout.file_download": "didPayoutFileDownload",
  "payout.return_take": "didPayoutReturnTake",
  "payout.hold": "didPayoutHold",
  "payout.resume": "didPayoutResume",
  "seller.adjust": "didSellerAdjust",
  "discrepancy.assign": "didDiscrepancyAssign",
  "discrepancy.close": "didDiscrepancyClose",
  "discrepancy.note": "didDiscrepancyNote",
  "statement.upload": "didStatementUpload",
  "statement.take": "didStatementTake",
  "prepayment.commit": "didPrepaymentCommit",
  "prepayment.propose": "didPrepaymentPropose",
  "report.address_confirm": "didReportAddressConfirm",
  "report.cancel": "didReportCancel",
  "report.create": "didReportCreate",
  "report.download": "didReportDownload",
  "report.schedule": "didReportSchedule",
  "report.unschedule": "didReportUnschedule",
  "provider.create": "didProviderCreate",
  "provider.delete": "didProviderDelete",
  "provider.pause": "didProviderPause",
  "provider.resume": "didProviderResume",
  "provider.rotation.asked": "didProviderRotationAsked",
  "provider.rotation.confirmed": "didProviderRotationConfirmed",
  "provider.rotation.refused": "didProviderRotationRefused",
  "provider.test": "didProviderTest",
  "provider.update": "didProviderUpdate",
  "public_key.create": "didPublicKeyCreate",
  "public_key.revoke": "didPublicKeyRevoke",
  "purchase.capture": "didPurchaseCapture",
  "purchase.create": "didPurchaseCreate",
  "purchase.recheck": "didPurchaseRecheck",
  "purchase.refund": "didPurchaseRefund",
  "purchase.resolve": "didPurchaseResolve",
  "purchase.resolve.propose": "didPurchaseResolvePropose",
  "purchase.resolve.withdraw": "didResolveWithdraw",
  "purchase.void": "didPurchaseVoid",
  "purchase.new_link": "didNewLink",
  "sandbox.antifraud": "didSandboxAntifraud",
  "sandbox.chargeback": "didSandboxChargeback",
  "sandbox.chargeback_reverse": "didSandboxChargebackReverse",
  "sandbox.clock": "didSandboxClock",
  "sandbox.clock.begin": "didSandboxClockBegin",
  "sandbox.force": "didSandboxForce",
  "sandbox.med": "didSandboxMed",
  "sandbox.pay": "didSandboxPay",
  "sandbox.settings": "didSandboxSettings",
  "review.release": "didReviewRelease",
  "review.take": "didReviewTake",
  "role.change": "didRoleChange",
  "role.create": "didRoleCreate",
  "role.delete": "didRoleDelete",
  "secret_key.addresses": "didSecretKeyAddresses",
  "secret_key.create": "didSecretKeyCreate",
  "secret_key.revoke": "didSecretKeyRevoke",
  "secret_key.rotate": "didSecretKeyRotate",
  "session.cancel": "didSessionCancel",
  "session.create": "didSessionCreate",
  "session.split": "didSessionSplit",
  "session.update": "didSessionUpdate",
  "totp.add": "didTotpAdd",
  "totp.new-codes": "didTotpNewCodes",
  "totp.remove": "didTotpRemove",
  "seller.create": "didSellerCreate",
  "seller.delete": "didSellerDelete",
  "sale_plan.create": "didSalePlanCreate",
  "sale_plan.default": "didSalePlanDefault",
  "sale_plan.rate": "didSalePlanRate",
  "sale_plan.retire_rate": "didSalePlanRetireRate",
  "sale_plan.switch": "didSalePlanSwitch",
  "sale_plan.update": "didSalePlanUpdate",
  "seller.bank_account": "didSellerAccount",
  "seller.update": "didSellerUpdate",
  "seller.access.enter": "didSellerAccessEnter",
  "seller.access.invite": "didSellerAccessInvite",
  "seller.access.revoke": "didSellerAccessRevoke",
  "seller.bank_account.propose": "didSellerAccountPropose",
  "seller.bank_account.refuse": "didSellerAccountRefuse",
  "seller_document.view": "didSellerDocumentView",
  "seller_document.delete": "didSellerDocumentDelete",
  "subscription.cancel": "didSubscriptionCancel",
  "subscription.card_link": "didSubscriptionCardLink",
  "subscription.create": "didSubscriptionCreate",
  "subscription.pause": "didSubscriptionPause",
  "subscription.resume": "didSubscriptionResume",
  "subscription.retry": "didSubscriptionRetry",
  "subscription.settings": "didSubscriptionSettings",
  "subscription.update": "didSubscriptionUpdate",
  "vendor.create": "didVendorCreate",
  "vendor.delete": "didVendorDelete",
  "vendor.update": "didVendorUpdate",
  "view.delete": "didViewDelete",
  "view.save": "didViewSave",
  "webhook.create": "didWebhookCreate",
  "webhook.delete": "didWebhookDelete",
  "webhook.discard": "didWebhookDiscard",
  "webhook.fail": "didWebhookFail",
  "webhook.gone": "didWebhookGone",
  "webhook.pause": "didWebhookPause",
  "webhook.recover": "didWebhookRecover",
  "webhook.reopen": "didWebhookReopen",
  "webhook.reopen-latest": "didWebhookReopenLatest",
  "webhook.replay": "didWebhookReplay",
  "webhook.resend": "didWebhookResend",
  "webhook.rotate-key": "didWebhookRotateKey",
  "webhook.sample": "didWebhookSample",
  "webhook.update": "didWebhookUpdate",
} as const;

/** A test holds these against everything that is written to the log. */
export const isKnownAction = (action: string): action is keyof typeof ACTION_TEXTS =>
  Object.hasOwn(ACTION_TEXTS, action);

/** One action does several things; its row says which of them. */
const NARROWER_TEXTS = {
  refund: "didChargeRefund",
  void: "didChargeRelease",
  cancel_open: "didChargeCancelOpen",
  off: "didSessionOff",
  on: "didSessionOn",
} as const;
const isNarrower = (name: string): name is keyof typeof NARROWER_TEXTS => Object.hasOwn(NARROWER_TEXTS, name);

/** What was done and the doing of it begin alike: reembolso, reembolsado. */
const ENDING = /(?:[ao]s?|ad[ao]s?|ed|s)$/;
const SHORTEST_STEM = 4;
const stemOf = (word: string): string => {
  const stem = word.replace(ENDING, "");
  return stem.length < SHORTEST_STEM ? word : stem;
};

const VOID_KINDS = ["refund", "void", "cancel_open"] as const;

/** Actions that a page calls by this text, in whichever language. */
export function actionsSaid(typed: string | undefined): SaidAction[] {
  const wanted = folded(typed ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map(stemOf);
  if (wanted.length === 0) return [];
  const isCalled = (text: ActionText): boolean =>
    Object.values(messages).some(({ audit }) => wanted.every((stem) => folded(audit[text]).includes(stem)));
  const narrowed = [
    ...VOID_KINDS.map((kind) => ({ action: "charge.void", field: "kind", is: kind, text: NARROWER_TEXTS[kind] })),
    { action: "session.update", field: "isActive", is: "false", text: NARROWER_TEXTS.off },
    { action: "session.update", field: "isActive", is: "true", text: NARROWER_TEXTS.on },
  ];
  return [
    ...Object.entries(ACTION_TEXTS)
      .filter(([, text]) => isCalled(text))
      .map(([action]) =>
        action === "charge.void" ? { action, done: { field: "kind", is: null, others: VOID_KINDS } } : { action },
      ),
    ...narrowed
      .filter(({ text }) => isCalled(text))
      .map(({ action, field, is }) => ({ action, done: { field, is, others: [] } })),
  ];
}

type ActionText =
  | (typeof ACTION_TEXTS)[keyof typeof ACTION_TEXTS]
  | (typeof NARROWER_TEXTS)[keyof typeof NARROWER_TEXTS];

type DoneRow = Pick<AuditRow, "action" | "before" | "after">;

const fieldsOf = (content: unknown): Readonly<Record<string, unknown>> =>
  content && typeof content === "object" ? Object.fromEntries(Object.entries(content)) : {};

/** Rows from before the log kept what was asked of a payment say no more than their action. */
function narrower({ action, before, after }: DoneRow): string | undefined {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  if (action === "charge.void") {
    const { kind } = fresh;
    return typeof kind === "string" && isNarrower(kind) ? kind : undefined;
  }
  if (action !== "session.update" || old.isActive === fresh.isActive) return undefined;
  const isMore = ["dueDate", "maxPayments"].some((field) => old[field] !== fresh[field]);
  return isMore ? undefined : fresh.isActive === true ? "on" : "off";
}

/** What the log keeps where a call came through no address that is known. */
export const UNKNOWN_ADDRESS = "unknown";

const SHORT_ID = 8;

/** Actions and their authors in words; the names of the rows' people and keys are fetched at once. */
export async function auditWords(ctx: Context, actors: readonly (string | null)[]) {
  return wordsIn(await getTranslations("audit"), ctx, actors);
}

/** Of what entries are about, by id; people are named as everywhere else. */
export async function objectNames(ctx: Context, rows: readonly Pick<AuditRow, "object" | "objectId">[]) {
  const publicKeys = rows
    .filter(({ object }) => object === "public_key")
    .map(({ objectId }): [string, string] => [objectId, publicKeyEnd(objectId)]);
  const people = rows.flatMap(({ object, objectId }) => (object === "operator" && isUuid(objectId) ? [objectId] : []));
  const [own, theirs] = await Promise.all([
    namesOfObjects(ctx, rows),
    namesOf(systemDb(), ctx.account.id, [...new Set(people)]),
  ]);
  return new Map([...own, ...theirs, ...publicKeys]);
}

type Texts = Awaited<ReturnType<typeof getTranslations<"audit">>>;

/** With the texts in hand, also where the request is over: while an export is being written. */
export async function wordsIn(t: Texts, ctx: Context, actors: readonly (string | null)[]) {
  const idsOf = (kind: string) => [
    ...new Set(actors.flatMap((actor) => (actor?.startsWith(`${kind}:`) ? [actor.slice(kind.length + 1)] : []))),
  ];
  const [names, keys] = await Promise.all([
    namesOf(systemDb(), ctx.account.id, idsOf("operator")),
    keyNames(ctx, idsOf("key")),
  ]);
  const keyWords = ({ name, hint }: KeyName) =>
    name === null ? t("secretKey", { hint }) : t("secretKeyNamed", { name, hint });
  return {
    action(row: DoneRow): string {
      const known = narrower(row) ?? row.action;
      if (isNarrower(known)) return t(NARROWER_TEXTS[known]);
      return isKnownAction(known) ? t(ACTION_TEXTS[known]) : known;
    },
    /** A person's own stands as it was written. */
    reason: (reason: string): string => (reason === BY_BUYER ? t("reasonBuyerPage") : reason),
    actor(actor: string): string {
      const [kind = "", id = ""] = actor.split(":");
      switch (kind) {
        case "operator":
          return names.get(id) ?? t("somebody", { id: id.slice(0, SHORT_ID) });
        case "key":
          return keyWords(keys.get(id) ?? { name: null, hint: id.slice(0, SHORT_ID) });
        case "public":
          return t("publicKey", { end: publicKeyEnd(id) });
        case "session":
          return t("sessionKey");
        case "seller":
          return t("sellerPage");
        default:
          return t("system");
      }
    },
  };
}
