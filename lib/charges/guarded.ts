import { answerRepeat } from "@/lib/charges/answer";
import { createCharge } from "@/lib/charges/create";
import type { Charge } from "@/lib/charges/queries";
import type { NewCharge } from "@/lib/charges/schema";
import type { Context } from "@/lib/context";
import { CARD_METHODS } from "@/lib/payments/methods";
import { guardOf } from "@/lib/velocity/guard";

/** `createCharge` for whoever calls the API: a browser's key first passes the limits against card testing and the captcha. */
export async function chargeByKey(ctx: Context, input: NewCharge, captcha: string | null): Promise<Charge> {
  if (ctx.principal.kind !== "public") return createCharge(ctx, input);
  await answerRepeat(ctx);
  const { merchantId, amount, paymentMethod } = input;
  const alongside = await guardOf(ctx, {
    payment: { merchantId, amount, captchaEnabled: false },
    isCard: CARD_METHODS.includes(paymentMethod.paymentType),
    captcha,
  });
  return createCharge(ctx, input, { source: "api", alongside });
}
