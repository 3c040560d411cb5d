import { createHmac } from "node:crypto";
import type { Context } from "@/lib/context";
import { serverSecret } from "@/lib/secrets";

/** Who paid, so that the same person is known again within the account and nobody can be read out of it. */
export const buyerHash = (ctx: Pick<Context, "account">, document: string): Buffer =>
  createHmac("sha256", serverSecret("checkout buyer")).update(`${ctx.account.id}:${document}`).digest();
