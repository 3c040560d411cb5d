import { template as boleto } from "@/components/emails/boleto";
import { template as buyerCode } from "@/components/emails/buyer-code";
import { template as confirmation } from "@/components/emails/confirmation";
import { template as confirming } from "@/components/emails/confirming";
import { template as holdsReleased } from "@/components/emails/holds-released";
import { template as latePixReturned } from "@/components/emails/late-pix-returned";
import { template as newLink } from "@/components/emails/new-link";
import { template as newSignIn } from "@/components/emails/new-sign-in";
import { template as operatorInvitation } from "@/components/emails/operator-invitation";
import { template as operatorNotice } from "@/components/emails/operator-notice";
import { template as passwordReset } from "@/components/emails/password-reset";
import { template as payout } from "@/components/emails/payout";
import { template as pixCode } from "@/components/emails/pix-code";
import { template as receipt } from "@/components/emails/receipt";
import { template as refund } from "@/components/emails/refund";
import { template as reportAddress } from "@/components/emails/report-address";
import { template as reportReady } from "@/components/emails/report-ready";
import { template as sellerInvitation } from "@/components/emails/seller-invitation";
import { template as sellerReviewClosed } from "@/components/emails/seller-review-closed";
import { template as sellerReviewDue } from "@/components/emails/seller-review-due";
import { template as sellerSignIn } from "@/components/emails/seller-sign-in";
import { template as subscription } from "@/components/emails/subscription";
import type { EmailTemplate } from "@/components/emails/template";
import { template as webhookDisabled } from "@/components/emails/webhook-disabled";
import { template as webhookFailing } from "@/components/emails/webhook-failing";
import type { MailTemplate } from "@/lib/mail/templates";

/** Every template has its component: one that lacks it does not compile. */
export const TEMPLATES: { [T in MailTemplate]: EmailTemplate<T> } = {
  boleto,
  "buyer-code": buyerCode,
  confirmation,
  confirming,
  "holds-released": holdsReleased,
  "late-pix-returned": latePixReturned,
  "new-link": newLink,
  "new-sign-in": newSignIn,
  "operator-invitation": operatorInvitation,
  "operator-notice": operatorNotice,
  "password-reset": passwordReset,
  payout,
  "pix-code": pixCode,
  receipt,
  refund,
  "report-address": reportAddress,
  "report-ready": reportReady,
  subscription,
  "seller-invitation": sellerInvitation,
  "seller-review-closed": sellerReviewClosed,
  "seller-review-due": sellerReviewDue,
  "seller-sign-in": sellerSignIn,
  "webhook-disabled": webhookDisabled,
  "webhook-failing": webhookFailing,
};
