import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { guidePage } from "@/app/docs/webhooks/guide-html";
import { readSnippet, SNIPPETS } from "@/app/docs/webhooks/snippets";
import english from "@/app/docs/webhooks/texts/en.json";
import portuguese from "@/app/docs/webhooks/texts/pt-BR.json";
import { EVENT_NAMES } from "@/lib/event-names";
import { openClient } from "@/lib/testing/api";
import { leftOutIf } from "@/lib/testing/left-out";
import { freePort } from "@/lib/testing/ports";
import { ATTEMPT_OFFSETS_SECONDS } from "@/lib/webhooks/retries";
import {
  deliveriesOf,
  emitEvent,
  openDispatcher,
  openReceiver,
  openWebhook,
  type Received,
} from "@/lib/webhooks/testing";

const folder = mkdtempSync(join(tmpdir(), "trilho-snippets-"));
const children: ChildProcess[] = [];
let publicKey = "";
let dispatcher: Awaited<ReturnType<typeof openDispatcher>>;
let sent: Received;

/** A delivery as it came over the wire, to be handed to every snippet. */
beforeAll(async () => {
  dispatcher = await openDispatcher({ timeoutMs: 2_000 });
  const client = await openClient();
  const sink = await openReceiver();
  ({ publicKey } = await openWebhook(client, sink.url));
  await emitEvent(client);
  sent = await vi.waitFor(
    () => {
      const [first] = sink.received;
      if (!first) throw new Error("not yet");
      return first;
    },
    { timeout: 10_000, interval: 20 },
  );
  await sink.stop();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await dispatcher.stop();
  rmSync(folder, { recursive: true });
});

const pythonProblem = (): string | undefined => {
  if (spawnSync("python3", ["--version"]).status !== 0) return "python3 is not on this machine";
  if (spawnSync("python3", ["-c", "import cryptography"]).status !== 0) return "python3 lacks the package cryptography";
  return undefined;
};
const skipped = pythonProblem();

const RUNNABLE = [
  { command: process.execPath, file: "receiver.mjs", problem: undefined },
  { command: "python3", file: "receiver.py", problem: skipped },
] as const;

describe.each(RUNNABLE)("$file", ({ command, file, problem }) => {
  it("verifies real deliveries, prints them once, and refuses what is not ours", async (context) => {
    leftOutIf(context, problem);
    const key = join(folder, `${file}.pem`);
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}/hook`;
    const client = await openClient();
    const webhook = await openWebhook(client, endpoint);
    writeFileSync(key, webhook.publicKey);
    const script = join(folder, file);
    writeFileSync(script, readSnippet(file));
    const child = spawn(command, [script, String(port), key]);
    children.push(child);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await expect.poll(() => output, { timeout: 10_000, interval: 20 }).toContain("waiting for events");
    const entity = await emitEvent(client);
    await expect
      .poll(() => output, { timeout: 10_000, interval: 20 })
      .toContain(`verified transaction.authorized ${entity}`);
    const [delivery] = await deliveriesOf(client, webhook.id);
    await client.make("POST", `/v1/webhooks/${webhook.id}/deliveries/${delivery?.id}/resend`);
    const codes = async () =>
      (await deliveriesOf(client, webhook.id)).map(({ attempts }) => attempts[0]?.statusCode ?? 0);
    await expect.poll(codes, { timeout: 10_000, interval: 20 }).toEqual([204, 204]);
    expect(output.match(/verified/g)).toHaveLength(1);
    // Guarantee: the headers of a delivery are single texts.
    const ours = Object.entries(sent.headers as Record<string, string>);
    const headers = Object.fromEntries(ours.filter(([name]) => /^(webhook|x)-/.test(name)));
    const foreign = await fetch(endpoint, { method: "POST", headers, body: sent.body.toString("utf8") });
    expect(foreign.status).toBe(401);
  }, 40_000);
});

const javaProblem = spawnSync("javac", ["-version"]).status === 0 ? undefined : "javac is not on this machine";
it("Verify.java takes a real delivery and refuses a changed byte", (context) => {
  leftOutIf(context, javaProblem);
  writeFileSync(join(folder, "Verify.java"), readSnippet("Verify.java"));
  writeFileSync(
    join(folder, "Trial.java"),
    `import java.nio.file.*; import java.util.*;
     class Trial { public static void main(String[] a) throws Exception {
       var headers = Map.of("webhook-id", a[0], "webhook-timestamp", a[1], "webhook-signature", a[2]);
       byte[] body = Files.readAllBytes(Path.of(a[3])); String key = Files.readString(Path.of(a[4]));
       boolean whole = Verify.isFromTrilho(headers, body, key); body[5] ^= 1;
       System.out.print(whole + " " + Verify.isFromTrilho(headers, body, key)); } }`,
  );
  writeFileSync(join(folder, "body"), sent.body);
  writeFileSync(join(folder, "key"), publicKey);
  const compiled = spawnSync("javac", ["Verify.java", "Trial.java"], { cwd: folder });
  expect(compiled.stderr.toString()).toBe("");
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature } = sent.headers;
  const args = ["-cp", ".", "Trial", String(id), String(at), String(signature), "body", "key"];
  expect(spawnSync("java", args, { cwd: folder }).stdout.toString()).toBe("true false");
}, 40_000);

describe("the page", () => {
  it.each([
    ["en", english],
    ["pt-BR", portuguese],
  ] as const)("in %s has every event, every snippet, and as many attempts as are made", (locale, texts) => {
    const html = guidePage({ locale, theme: "light", baseUrl: "http://localhost:3000", texts });
    for (const name of EVENT_NAMES) expect(html).toContain(`<code>${name}</code>`);
    for (const { language } of SNIPPETS) expect(html).toContain(`<summary>${language}</summary>`);
    expect(texts.schedule.delays).toHaveLength(ATTEMPT_OFFSETS_SECONDS.length);
    expect(html).not.toMatch(/\{\{|undefined|\[object|<script/);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
