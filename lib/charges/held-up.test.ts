import { afterEach, describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { claimCharge } from "@/lib/charges/engine/lease";
import { queryCharge, resume } from "@/lib/charges/engine/settle";
import type { Context } from "@/lib/context";
import type { CallContext, Outcome } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { aKey, openClient } from "@/lib/testing/api";
import type { CallOptions, Reply } from "@/lib/testing/api-client";
import {
  type ChargeReply,
  capture,
  openToken,
  payByCard,
  readCharge,
  type Shop,
  voidIt,
  withMerchant,
} from "@/lib/testing/payments";
import { chargeByCard, openSession } from "@/lib/testing/sessions";

type Call = "authorize" | "capture" | "void" | "refund";
type Send = (context: CallContext, input: never) => Promise<Outcome<never>>;

// Guarantee: every call takes its context and one input, whatever that is.
const sandbox = providerFor("SANDBOX") as unknown as Record<Call, Send>;

afterEach(() => {
  vi.restoreAllMocks();
});

/** The provider has done what it was asked; before its answer is read, the request is held up for all of this. */
function heldUp(call: Call, meanwhile: (chargeId: string) => Promise<Outcome<never> | undefined>): void {
  const real = sandbox[call];
  const late: Send = async (context, input) => {
    const answer = await real.call(sandbox, context, input);
    return (await meanwhile(context.chargeId)) ?? answer;
  };
  vi.spyOn(sandbox, call).mockImplementationOnce(late);
}

const endLease = (id: string) =>
  systemSql()`update charges set lease_until = now() - interval '1 second' where id = ${id}`;

async function leaveToAQuestion(ctx: Context, id: string): Promise<void> {
  await endLease(id);
  await resume(ctx, id);
}

const MEANWHILE: Readonly<Record<string, (ctx: Context, id: string) => Promise<unknown>>> = {
  "has only taken it": async (ctx, id) => {
    await endLease(id);
    await claimCharge(ctx, id);
  },
  "leaves it to a question": leaveToAQuestion,
  "has finished it": async (ctx, id) => {
    await leaveToAQuestion(ctx, id);
    await queryCharge(ctx, id);
  },
};

interface Request {
  call: Call;
  prepare: (shop: Shop) => Promise<(options: CallOptions) => Promise<Reply<ChargeReply>>>;
}

const REQUESTS: Readonly<Record<string, Request>> = {
  charge: {
    call: "authorize",
    prepare: async (shop) => {
      const paymentSource = { sourceType: "token", tokenId: await openToken(shop.client) };
      return (options) => payByCard(shop, { ...options, changes: { paymentSource } });
    },
  },
  "payment of a session": {
    call: "authorize",
    prepare: async (shop) => {
      const { id } = await openSession(shop);
      const paymentSource = { sourceType: "token", tokenId: await openToken(shop.client) };
      // Guarantee: a session's payment is answered with a charge.
      return (options) =>
        chargeByCard(shop, id, { ...options, changes: { paymentSource } }) as unknown as Promise<Reply<ChargeReply>>;
    },
  },
  capture: {
    call: "capture",
    prepare: async (shop) => {
      const { id } = (await payByCard(shop)).body;
      return (options) => capture(shop.client, id, {}, options);
    },
  },
  void: {
    call: "void",
    prepare: async (shop) => {
      const { id } = (await payByCard(shop)).body;
      return (options) => voidIt(shop.client, id, {}, options);
    },
  },
  "part of a refund": {
    call: "refund",
    prepare: async (shop) => {
      const { id } = (await payByCard(shop, { capture: true })).body;
      return (options) => voidIt(shop.client, id, { amount: 1_500 }, options);
    },
  },
};

describe.each(Object.entries(REQUESTS))("a %s that is held up past its lease", (_, { call, prepare }) => {
  test.each(Object.entries(MEANWHILE))("answers what is true when another driver %s", async (_, happens) => {
    const shop = await withMerchant(await openClient());
    const ctx = await shop.client.context();
    const meanwhile = async (id: string) => {
      await happens(ctx, id);
      return undefined;
    };
    for (const options of [{}, { idempotencyKey: aKey() }]) {
      const send = await prepare(shop);
      heldUp(call, meanwhile);
      const answer = await send(options);
      expect(answer, answer.text).toMatchObject({ status: 201, error: undefined });
      expect(answer.headers.get("idempotent-replayed")).toBeNull();
      if (!("idempotencyKey" in options)) {
        expect(answer.body.status).toBe((await readCharge(shop.client, answer.body.id)).status);
        continue;
      }
      const repeat = await send(options);
      expect(repeat.headers.get("idempotent-replayed")).toBe("true");
      expect(repeat.text).toBe(answer.text);
    }
  });
});

test("an answer that comes late beside the next call of whoever took over breaks nothing", async () => {
  const shop = await withMerchant(await openClient());
  const ctx = await shop.client.context();
  let goOn = (): void => undefined;
  let taker: Promise<unknown> | undefined;
  heldUp("authorize", async (id) => {
    await leaveToAQuestion(ctx, id);
    const isCapturing = new Promise<void>((capturing) => {
      heldUp("capture", async () => {
        capturing();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        return undefined;
      });
    });
    taker = queryCharge(ctx, id);
    await isCapturing;
    return { kind: "undetermined", cause: "timeout" };
  });
  const answer = await payByCard(shop, { capture: true });
  goOn();
  await taker;
  expect(answer, answer.text).toMatchObject({ status: 201, error: undefined });
  expect(await readCharge(shop.client, answer.body.id)).toMatchObject({ status: "authorized", capturedAmount: 10_500 });
});
