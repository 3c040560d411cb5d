import { createHmac } from "node:crypto";
import type { z } from "zod";
import { usableCard } from "@/lib/cards/service";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { serverSecret } from "@/lib/secrets";
import type { NewSetup, setupBody } from "@/lib/three-ds/schema";
import { addSeconds, realNow } from "@/lib/time";
import { peekToken } from "@/lib/tokens/service";

const SETUP_SECONDS = 3_600;

/** Starts the collection of device data; the card or token is looked at and not used up. */
export async function setUp(ctx: Context, source: NewSetup): Promise<z.input<typeof setupBody>> {
  if (source.sourceType === "card") await usableCard(ctx, source.cardId);
  else await peekToken(ctx, source.tokenId);
  const id = newId();
  return {
    id,
    token: collectionToken(id),
    collectUrl: `${env().BASE_URL}/sandbox/3ds/collect`,
    providerType: "SANDBOX",
    error: null,
  };
}

/** A signed JSON token, as authenticators give it; it carries the setup and its end, and nothing of the card. */
function collectionToken(setupId: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const seconds = Math.floor(addSeconds(realNow(), SETUP_SECONDS).getTime() / 1000);
  const content = `${part({ alg: "HS256", typ: "JWT" })}.${part({ jti: setupId, exp: seconds })}`;
  return `${content}.${createHmac("sha256", serverSecret("3ds setup")).update(content).digest("base64url")}`;
}
