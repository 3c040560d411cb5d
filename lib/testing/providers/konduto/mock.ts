import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { MockServer } from "@/lib/testing/providers/kit/server";

/** Konduto's published form of an order: what is not in it is refused, as Konduto refuses it. */
const words = (most: number) => z.string().min(1).max(most);
const place = z.strictObject({
  name: words(100).optional(),
  address1: words(255).optional(),
  address2: words(255).optional(),
  city: words(100).optional(),
  state: words(100).optional(),
  zip: words(100).optional(),
  country: z.string().length(2).optional(),
});
const order = z.strictObject({
  id: z.string().regex(/^[0-9a-zA-Z]{1,100}$/),
  total_amount: z.number().positive().max(9_999_999_999),
  currency: z.string().length(3),
  installments: z.int().min(1).max(999),
  ip: z.ipv4().optional(),
  analyze: z.literal(true),
  customer: z.strictObject({
    id: words(100),
    name: words(100),
    email: words(100),
    tax_id: words(100).optional(),
    phone1: words(100).optional(),
    dob: z.iso.date().optional(),
    created_at: z.iso.date().optional(),
  }),
  payment: z.tuple([
    z.strictObject({
      type: z.literal("credit"),
      status: z.enum(["approved", "pending"]),
      bin: z.string().regex(/^\d{6}$/),
      last4: z.string().regex(/^\d{4}$/),
    }),
  ]),
  billing: place.optional(),
  shipping: place.optional(),
  shopping_cart: z
    .array(
      z.strictObject({
        sku: words(100).optional(),
        name: words(100).optional(),
        description: words(100).optional(),
        unit_cost: z.number().optional(),
        quantity: z.number().optional(),
      }),
    )
    .optional(),
});
type Sent = z.output<typeof order>;
const update = z.strictObject({
  status: z.enum(["approved", "declined", "not_authorized", "canceled", "fraud"]),
  comments: words(255),
});

/** What happens to the next request: nothing is done, it is done and not answered, or answered oddly. */
export type KondutoFault =
  | "lost_before"
  | "lost_after"
  | "http_500"
  | "truncated"
  | "another_order"
  | "new_word"
  | "limited";

interface Kept {
  sent: Sent;
  recommendation: string;
  status: string;
}

interface Reply {
  status: number;
  body: unknown;
}

export interface KondutoMock extends Pick<MockServer, "watch"> {
  url: string;
  orders: ReadonlyMap<string, Kept>;
  /** Orders sent under one id: more than one is analyzed, and billed, twice. */
  analyses: string[];
  updates: { id: string; status: string }[];
  plan(fault: KondutoFault): void;
  /** What was planned and not met is planned no more. */
  settle(): void;
  /** Somebody at Konduto looked at it. */
  decide(id: string, status: "approved" | "declined"): void;
  notification(id: string, status: string, key: string, at: number): string;
  close(): Promise<void>;
}

/** Konduto's own test amounts: .00 to .29, .30 to .60, .61 to .99. */
function recommendationOf({ total_amount }: Sent): string {
  const cents = Math.round(total_amount * 100) % 100;
  if (cents < 30) return "APPROVE";
  return cents <= 60 ? "REVIEW" : "DECLINE";
}
const STATUS: Readonly<Record<string, string>> = { APPROVE: "APPROVED", REVIEW: "PENDING", DECLINE: "DECLINED" };

/** Konduto on this machine, by its documents of 2026: its own books, over HTTP. */
export async function startKonduto(secretKey: string): Promise<KondutoMock> {
  const orders = new Map<string, Kept>();
  const analyses: string[] = [];
  const updates: KondutoMock["updates"] = [];
  const faults: KondutoFault[] = [];

  const refused = (status: number, where: string): Reply => ({
    status,
    body: { status: "error", message: { where, why: { expected: "ok", found: where } } },
  });
  const shown = (id: string, { recommendation, status }: Kept, fault?: KondutoFault): Reply => ({
    status: 200,
    body: {
      status: "ok",
      order: {
        id: fault === "another_order" ? "AnotherOrder" : id,
        score: recommendation === "DECLINE" ? 0.93 : 0.07,
        recommendation: fault === "new_word" ? "THINKING" : recommendation,
        status: fault === "new_word" ? "THINKING" : status,
      },
    },
  });

  function taken(body: unknown, fault?: KondutoFault): Reply {
    const parsed = order.safeParse(body);
    if (!parsed.success) return refused(400, `/${parsed.error.issues[0]?.path.join("/")}`);
    const { id } = parsed.data;
    analyses.push(id);
    const recommendation = recommendationOf(parsed.data);
    const kept = orders.get(id) ?? { sent: parsed.data, recommendation, status: STATUS[recommendation] ?? "" };
    orders.set(id, kept);
    return shown(id, kept, fault);
  }

  function route(method: string, id: string, body: unknown, fault?: KondutoFault): Reply {
    if (method === "POST" && id === "") return taken(body, fault);
    const kept = orders.get(id);
    if (!kept) return refused(404, "/id");
    if (method === "GET") return shown(id, kept, fault);
    const parsed = update.safeParse(body);
    if (method !== "PUT" || !parsed.success) return refused(400, "/status");
    const old = kept.status;
    kept.status = parsed.data.status.toUpperCase();
    updates.push({ id, status: parsed.data.status });
    return { status: 200, body: { status: "ok", order: { old_status: old, new_status: kept.status } } };
  }

  function replyTo({ method, url, headers }: IncomingMessage, text: string, fault?: KondutoFault): Reply {
    if (fault === "http_500") return refused(500, "/");
    if (fault === "limited") return refused(429, "/");
    const expected = `Basic ${Buffer.from(`${secretKey}:`).toString("base64")}`;
    if (headers.authorization !== expected) return refused(401, "/");
    const [, version, resource, id = ""] = (url ?? "").split("/");
    if (version !== "v1" || resource !== "orders") return refused(404, "/");
    return route(method ?? "", id, text === "" ? undefined : JSON.parse(text), fault);
  }

  const server = createServer((request, to) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const fault = faults.shift();
      const text = Buffer.concat(chunks).toString();
      heard(request, text);
      const reply = fault === "lost_before" ? undefined : replyTo(request, text, fault);
      if (!reply || fault === "lost_after") {
        to.destroy();
        return;
      }
      const answer = JSON.stringify(reply.body);
      to.writeHead(reply.status, { "content-type": "application/json" });
      to.end(fault === "truncated" ? answer.slice(0, answer.length / 2) : answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // Guarantee: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const mock: KondutoMock = {
    url: `http://127.0.0.1:${port}`,
    orders,
    analyses,
    updates,
    plan(fault) {
      faults.push(fault);
    },
    settle() {
      faults.length = 0;
    },
    decide(id, status) {
      const kept = orders.get(id);
      if (kept) kept.status = status.toUpperCase();
    },
    notification: (id, status, key, at) =>
      JSON.stringify({
        order_id: id,
        timestamp: at,
        status,
        signature: createHmac("sha256", key).update(`${id}#${at}#${status}`).digest("hex"),
      }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  function heard({ method = "", url = "", headers }: IncomingMessage, text: string): void {
    const { pathname, searchParams: query } = new URL(url, "http://konduto");
    // Guarantee: of the headers that are looked at, a request has one each.
    const single = headers as Readonly<Record<string, string>>;
    mock.watch?.({ method, path: pathname, query, headers: single, body: text === "" ? null : JSON.parse(text) });
  }
  return mock;
}
