import { z } from "zod";
import { type Challenge, LEVELS, newChallenge } from "@/lib/captcha/challenge";
import type { Context } from "@/lib/context";
import { captchaPlaceOf } from "@/lib/velocity/address";
import { levelNow } from "@/lib/velocity/check";

export const challengeQuery = z.object({
  level: z
    .enum(LEVELS)
    .optional()
    .meta({ description: "hard: a harder one, when a right answer was refused because of the merchant's situation" }),
});

export const challengeBody = z
  .object({
    algorithm: z.literal("SHA-256"),
    challenge: z.string(),
    maxnumber: z.int(),
    salt: z.string(),
    signature: z.string(),
  })
  .meta({
    id: "CaptchaChallenge",
    description:
      "In ALTCHA's form: find the number from 0 to `maxnumber` for which SHA-256 of `salt` and the number is `challenge`. X-Captcha-Token is base64 of the JSON `{algorithm, challenge, number, salt, signature}`.",
  });

/** Bound to the public key and the address that ask, and as hard as their situation is. */
export async function captchaChallengeFor(
  ctx: Context,
  { level: asked }: z.output<typeof challengeQuery>,
): Promise<Challenge> {
  const { account, principal, ip = "unknown" } = ctx;
  // A secret key is given a question like any other; no payment asks it for the answer.
  const key = principal.kind === "public" ? principal.rootKey : account.id;
  const place = captchaPlaceOf(key, ip);
  const level = await levelNow(ctx, {
    sessionId: key,
    key,
    merchantId: key,
    visit: place,
    ip,
    amount: 0,
    captchaEnabled: false,
  });
  return newChallenge({ sessionId: place, level: asked === "hard" ? asked : level });
}
