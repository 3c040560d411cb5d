import { systemDb, systemSql } from "@/db/client";
import { providers } from "@/db/schema/merchants";
import { newId } from "@/lib/ids";
import { sealCredentials } from "@/lib/payments/credentials";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { addProvider } from "@/lib/providers/registry";
import { MIRROR, mirrorProvider } from "@/lib/testing/mirror/adapter";
import { accountOf } from "@/lib/testing/mirror/evidence";
import { mirrorTransport } from "@/lib/testing/mirror/rig";
import type { MirrorServer } from "@/lib/testing/mirror/server";
import { signatureOf } from "@/lib/testing/mirror/webhook";
import { HEADER, type MirrorEvent } from "@/lib/testing/mirror/wire";
import { realNow } from "@/lib/time";

/** Makes MIRROR an adapter of this process; its live host does not exist. */
export const registerMirror = (url: string): void =>
  addProvider(mirrorProvider({ live: mirrorTransport("http://127.0.0.1:1"), test: mirrorTransport(url) }));

export interface MirrorAccount {
  providerId: string;
  apiKey: string;
}

/** Gives a merchant MIRROR beside what it has: no request could. */
export async function joinMirror(
  { clientId, merchantId }: { clientId: string; merchantId: string },
  priority: number,
  apiKey: string = newId(),
  kind = MIRROR,
): Promise<MirrorAccount> {
  const providerId = newId();
  const at = realNow();
  await systemDb()
    .insert(providers)
    .values({
      id: providerId,
      clientId,
      merchantId,
      name: "Mirror",
      kind,
      priority,
      credentials: sealCredentials(providerId, { apiKey, environment: "test" }),
      credentialMembers: ["apiKey"],
      routable: true,
      createdAt: at,
      updatedAt: at,
    });
  return { providerId, apiKey };
}

/** The other providers of the merchant are tried after it. */
export const lowerOthers = ({ merchantId }: { merchantId: string }, kind = MIRROR): Promise<unknown> =>
  systemSql()`update providers set priority = priority + 10 where merchant_id = ${merchantId} and kind <> ${kind}`;

/** Sends what MIRROR has told so far to our receiver, signed; each event as often as `copies` says. */
export async function deliver(
  mirror: MirrorServer,
  { providerId, apiKey }: MirrorAccount,
  { copies = 1, only = () => true }: { copies?: number; only?: (event: MirrorEvent) => boolean } = {},
): Promise<void> {
  const account = accountOf(apiKey);
  for (const event of mirror.events.filter((one) => one.account === account && only(one))) {
    const body = JSON.stringify(event);
    const headers = new Headers({ [HEADER.signature]: signatureOf(apiKey, realNow(), body) });
    for (let copy = 0; copy < copies; copy++) {
      await receiveNotification(newId(), providerId, headers, Buffer.from(body));
    }
  }
}
