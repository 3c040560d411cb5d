import { z } from "zod";
import type { StoredMethod } from "@/db/schema/sessions";
import { DomainError } from "@/lib/errors";
import { MAX_PIX_SECONDS, type NewPaymentMethod, newPaymentMethod, PAYMENT_TYPES } from "@/lib/payments/methods";

/** Above what any session offers: a number beyond is refused by the session, not by the shape. */
const MOST_ASKED = 99;

/** The buyer's choice among the methods of a session; everything else of a method is the session's. */
export const chosenMethod = z
  .object({
    paymentType: z.enum(PAYMENT_TYPES),
    installments: z.int().min(1).max(MOST_ASKED).nullish().meta({ description: "at most the session's; default 1" }),
    expiresIn: z.int().min(1).max(MAX_PIX_SECONDS).nullish().meta({ description: "Pix: only to shorten its life" }),
    browser: z.looseObject({}).nullish().meta({ description: "drip" }),
  })
  .meta({ id: "ChosenMethod" });
export type ChosenMethod = z.output<typeof chosenMethod>;

const INSTALLED: readonly string[] = ["credit", "click_to_pay"];

/** What is asked of a charge: the session's own terms, with the little a buyer decides. */
export function methodFor(
  offered: readonly StoredMethod[],
  chosen: ChosenMethod,
  /** Of the page that the buyer pays on; otherwise a wallet sends its buyers where the session says. */
  returnUrl?: string,
): NewPaymentMethod {
  const method = offered.find(({ paymentType }) => paymentType === chosen.paymentType);
  if (!method) throw new DomainError("payment_method_not_allowed", "the session does not offer this payment method");
  if (INSTALLED.includes(method.paymentType)) {
    const installments = chosen.installments ?? 1;
    if (installments > Number(method.installments)) {
      throw new DomainError("session_installments_not_allowed", "the session does not offer that many installments");
    }
    return newPaymentMethod.parse({ ...method, installments });
  }
  if ((chosen.installments ?? 1) > 1) {
    throw new DomainError("session_installments_not_allowed", `${method.paymentType} is paid at once`);
  }
  if (method.paymentType === "pix") {
    const longest = Number(method.expiresIn);
    return newPaymentMethod.parse({ ...method, expiresIn: Math.min(chosen.expiresIn ?? longest, longest) });
  }
  const browser = method.paymentType === "drip" ? { browser: chosen.browser ?? undefined } : {};
  return newPaymentMethod.parse({ ...method, ...browser, ...wayBack(method, returnUrl) });
}

function wayBack({ paymentType }: StoredMethod, returnUrl: string | undefined): object {
  if (returnUrl === undefined) return {};
  if (paymentType === "nupay") return { returnUrl, cancelUrl: returnUrl };
  return paymentType === "drip" ? { successRedirectUrl: returnUrl, cancelRedirectUrl: returnUrl } : {};
}
