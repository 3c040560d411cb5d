import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { setTracing, traced } from "@/lib/tracing";
import { openTracing } from "@/lib/tracing-export";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import { deliveriesOf, openDispatcher, openReceiver, openWebhook, type Receiver } from "@/lib/webhooks/testing";

const value = z.object({ stringValue: z.string().optional(), intValue: z.union([z.string(), z.number()]).optional() });
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(z.object({ key: z.string(), value })),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Span = z.infer<typeof exported>["resourceSpans"][number]["scopeSpans"][number]["spans"][number];

/** A collector: OTLP over HTTP, as JSON. */
async function openCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") bodies.push(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    text: () => bodies.join("\n"),
    spans: (): Span[] =>
      bodies.flatMap((body) =>
        exported
          .parse(JSON.parse(body))
          .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    stop: () => new Promise((closed) => server.close(closed)),
  };
}

let collector: Awaited<ReturnType<typeof openCollector>>;
let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  [collector, dispatcher, receiver] = await Promise.all([openCollector(), openDispatcher({}), openReceiver()]);
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.address;
});
afterAll(async () => {
  setTracing(undefined);
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await Promise.all([dispatcher.stop(), receiver.stop(), collector.stop()]);
});

const of = ({ attributes }: Span, name: string): string | undefined => {
  const found = attributes.find(({ key }) => key === `trilho.${name}`)?.value;
  return found?.stringValue ?? (found?.intValue === undefined ? undefined : String(found.intValue));
};

test("a charge is one trace: request, attempt, provider call, and the delivery of its webhook later", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const webhook = await openWebhook(client, receiver.url, { event: "transaction.pre_authorized" });
  const tracing = openTracing("web");
  setTracing(tracing);
  const reply = await payByCard(shop, { capture: false });
  await expect
    .poll(async () => (await deliveriesOf(client, webhook.id)).map((one) => one.status), { timeout: 8_000 })
    .toEqual(["delivered"]);
  setTracing(undefined);
  await tracing.stop();

  const spans = collector.spans();
  const one = (name: string, ...wants: [string, string][]): Span => {
    const found = spans.find((span) => span.name === name && wants.every(([key, want]) => of(span, key) === want));
    if (!found) throw new Error(`no ${name} in ${spans.map((span) => span.name).join(", ")}`);
    return found;
  };
  const requestId = reply.headers.get("x-request-id") ?? "";
  const request = one("request", ["requestId", requestId]);
  const attempt = one("attempt", ["chargeId", reply.body.id], ["kind", "authorize"]);
  const call = one("provider call", ["attemptId", of(attempt, "attemptId") ?? ""], ["operation", "authorize"]);
  const delivery = one("webhook delivery", ["status", "200"]);
  expect(request.traceId).toBe(requestId.replaceAll("-", ""));
  expect(request.parentSpanId ?? "").toBe("");
  expect([of(request, "route"), of(request, "method"), of(request, "status")]).toEqual(["/v1/charges", "POST", "201"]);
  expect([attempt.traceId, attempt.parentSpanId]).toEqual([request.traceId, request.spanId]);
  expect([call.traceId, call.parentSpanId, of(call, "outcome")]).toEqual([request.traceId, attempt.spanId, "approved"]);
  expect([delivery.traceId, delivery.parentSpanId]).toEqual([request.traceId, request.spanId]);
  // No card, no buyer and no address leaves in a span.
  for (const secret of ["4111", "Ana", "@", receiver.url, client.apiKey])
    expect(collector.text()).not.toContain(secret);
});

test("what throws is told as an error without its words, and goes on as it came", async () => {
  const tracing = openTracing("web");
  setTracing(tracing);
  const broken = new Error("4111111111111111 is broken");
  await expect(
    traced(
      () => ({ name: "attempt", fields: {} }),
      () => Promise.reject(broken),
    ),
  ).rejects.toBe(broken);
  setTracing(undefined);
  await tracing.stop();
  expect(collector.text()).toContain('"status":{"code":2}');
  expect(collector.text()).not.toContain("is broken");
});

test("without a collector a span is the work itself", async () => {
  const work = Promise.resolve(7);
  expect(
    traced(
      () => ({ name: "attempt", fields: {} }),
      () => work,
    ),
  ).toBe(work);
});
