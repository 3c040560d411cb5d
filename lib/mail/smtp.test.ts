import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renderMail } from "@/components/emails/render";
import { systemDb, systemSql } from "@/db/client";
import { sendEmail } from "@/inngest/functions/send-email";
import { inTransaction } from "@/lib/context";
import { DRIVERS } from "@/lib/engine/testing";
import { MAIL_QUEUED, queueMail, queueOperatorMail } from "@/lib/mail/queue";
import { giveUpMail, sendMail, sweepMail } from "@/lib/mail/send";
import { NO_LOOK } from "@/lib/settings/look";
import { saveLook } from "@/lib/settings/save-look";
import { openClient, openMerchant } from "@/lib/testing/api";
import { MAIL_SAMPLES } from "@/lib/testing/mail-samples";

interface Received {
  from: string;
  to: string[];
  raw: string;
}
const received: Received[] = [];
/** What the server answers to the recipient, or to the message; 250 takes it. */
let answer = { recipient: 250, message: 250 };

const refusal = (code: number) => Object.assign(new Error("no"), { responseCode: code });
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo: (_address, _session, done) => done(answer.recipient === 250 ? undefined : refusal(answer.recipient)),
  onData(stream, session, done) {
    text(stream).then((raw) => {
      if (answer.message !== 250) return done(refusal(answer.message));
      const { mailFrom, rcptTo } = session.envelope;
      received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), raw });
      done();
    }, done);
  },
});

beforeAll(async () => {
  await new Promise<void>((ready) => {
    server.listen(0, "127.0.0.1", ready);
  });
  // Before anything reads the configuration. A TCP server that listens has an address of this form.
  const { port } = server.server.address() as AddressInfo;
  Object.assign(process.env, { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Trilho <pay@trilho.example>" });
});
afterAll(() => new Promise<void>((done) => server.close(done)));
beforeEach(() => {
  received.length = 0;
  answer = { recipient: 250, message: 250 };
});

const headers = (raw: string) =>
  new Map(
    raw
      .slice(0, raw.indexOf("\r\n\r\n"))
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 2),
      ]),
  );

async function queued(changes: { to?: string; dedupe?: string; replyTo?: string } = {}) {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  const ctx = await client.context();
  const [data] = MAIL_SAMPLES["pix-code"];
  const mail = {
    template: "pix-code",
    locale: "pt-BR",
    merchantId,
    to: "ana@buyer.example",
    data: data!,
    ...changes,
  } as const;
  const id = await queueMail(ctx, mail);
  return { client, ctx, id, mail };
}

const rowOf = async (id: string) => (await systemSql()`select * from emails where id = ${id}`)[0];

test("a mail server gets it once, from the installation in the shop's name, with parts for every reader", async () => {
  const { id } = await queued({ replyTo: "loja@shop.example" });
  expect(await sendMail(id, renderMail)).toBe("sent");
  expect(await sendMail(id, renderMail)).toBe("done before");
  expect(received).toHaveLength(1);
  const [mail] = received;
  expect([mail?.from, mail?.to]).toEqual(["pay@trilho.example", ["ana@buyer.example"]]);
  const head = headers(mail?.raw ?? "");
  expect(head.get("from")).toBe("Mercado Central <pay@trilho.example>");
  expect(head.get("reply-to")).toBe("loja@shop.example");
  expect(head.get("message-id")).toBe(`<${id}@trilho.example>`);
  expect(head.get("auto-submitted")).toBe("auto-generated");
  for (const part of ["text/plain", "text/html", "image/png"]) expect(mail?.raw).toContain(`Content-Type: ${part}`);
  expect(await rowOf(id)).toMatchObject({ status: "sent", data: null, failure: null, attempts: 1 });
});

test("what buyers answer goes to the shop's support address, which the footer names", async () => {
  const { ctx, id, mail } = await queued();
  await saveLook(ctx, null, { ...NO_LOOK, logo: "keep", supportEmail: "ajuda@shop.example" });
  expect(await sendMail(id, renderMail)).toBe("sent");
  expect(headers(received[0]?.raw ?? "").get("reply-to")).toBe("ajuda@shop.example");
  expect(received[0]?.raw).toContain("mailto:ajuda@shop.example");
  await saveLook(ctx, mail.merchantId, { ...NO_LOOK, logo: "keep", supportEmail: "mercado@shop.example" });
  expect(await sendMail(await queueMail(ctx, mail), renderMail)).toBe("sent");
  expect(headers(received[1]?.raw ?? "").get("reply-to")).toBe("mercado@shop.example");
});

test("what is queued in a transaction that fails is never sent", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const [data] = MAIL_SAMPLES.confirming;
  await expect(
    inTransaction(ctx, async (inside) => {
      await queueMail(inside, { template: "confirming", locale: "en", to: "a@b.example", data: data! });
      throw new Error("the payment was not written");
    }),
  ).rejects.toThrow("not written");
  expect(await systemSql()`select from emails where client_id = ${client.clientId}`).toHaveLength(0);
  expect(await systemSql()`select from outbox where client_id = ${client.clientId}`).toHaveLength(0);
});

test("one name is one e-mail of the account, however often and from wherever it is queued", async () => {
  const { client, ctx, mail, id } = await queued({ dedupe: "pix:1" });
  const again = await Promise.all([
    queueMail(ctx, { ...mail, dedupe: "pix:1" }),
    queueMail(ctx, { ...mail, dedupe: "pix:1" }),
  ]);
  expect(again).toEqual([id, id]);
  expect((await queued({ dedupe: "pix:1" })).id).not.toBe(id);
  const told = await systemSql()`select from outbox where client_id = ${client.clientId} and name = ${MAIL_QUEUED}`;
  expect(told).toHaveLength(1);
});

test("a server that is busy gets it again later under the same Message-ID", async () => {
  const { id } = await queued();
  answer = { recipient: 250, message: 451 };
  await expect(sendMail(id, renderMail)).rejects.toThrow();
  expect(await rowOf(id)).toMatchObject({ status: "queued", failure: "SMTP 451", attempts: 1 });
  answer = { recipient: 250, message: 250 };
  expect(await sendMail(id, renderMail)).toBe("sent");
  expect(headers(received[0]?.raw ?? "").get("message-id")).toBe(`<${id}@trilho.example>`);
});

test.each([
  ["an address that does not exist", { recipient: 550, message: 250 }, "SMTP 550"],
  ["a message that is refused", { recipient: 250, message: 554 }, "SMTP 554"],
])("%s is not tried again", async (_what, answers, failure) => {
  const { id } = await queued();
  answer = answers;
  expect(await sendMail(id, renderMail)).toBe("failed");
  expect(await rowOf(id)).toMatchObject({ status: "failed", failure, data: null });
});

test("an e-mail nobody took after the last attempt has failed, and keeps why", async () => {
  const { id } = await queued();
  answer = { recipient: 451, message: 250 };
  await expect(sendMail(id, renderMail)).rejects.toThrow();
  await giveUpMail(id);
  expect(await rowOf(id)).toMatchObject({ status: "failed", failure: "SMTP 451", data: null });
});

test("files travel with it and are gone afterwards", async () => {
  const { ctx } = await queued();
  const [data] = MAIL_SAMPLES.boleto;
  const attachments = [
    { fileName: "boleto.pdf", contentType: "application/pdf", content: Buffer.from("%PDF-1.7 slip") },
  ];
  const id = await queueMail(ctx, {
    template: "boleto",
    locale: "pt-BR",
    to: "ana@buyer.example",
    data: data!,
    attachments,
  });
  await sendMail(id, renderMail);
  expect(received[0]?.raw).toContain("boleto.pdf");
  expect(received[0]?.raw).toContain(Buffer.from("%PDF-1.7 slip").toString("base64"));
  expect(await systemSql()`select from email_attachments where email_id = ${id}`).toHaveLength(0);
});

test("an operator is written in Trilho's own name, without any account", async () => {
  const [data] = MAIL_SAMPLES["password-reset"];
  const id = await systemDb().transaction((db) =>
    queueOperatorMail(db, { template: "password-reset", locale: "en", to: "marina@trilho.example", data: data! }),
  );
  await sendMail(id, renderMail);
  expect(headers(received[0]?.raw ?? "").get("from")).toBe("Trilho <pay@trilho.example>");
  expect((await rowOf(id))?.client_id).toBeNull();
});

test("no account sees another's e-mails, nor those of none", async () => {
  const { id } = await queued();
  const other = await (await openClient()).context();
  const seen = await inTransaction(other, ({ db }) => db.execute("select id from emails"));
  expect([...seen].map((row) => row.id)).not.toContain(id);
});

test.each(DRIVERS)("through %s the worker sends what the outbox tells it of", async (_name, run) => {
  const { id } = await queued();
  const trial = await run(sendEmail, { name: MAIL_QUEUED, data: { emailId: id } });
  expect(trial).toMatchObject({ status: "completed", ran: ["send"] });
  expect((await rowOf(id))?.status).toBe("sent");
});

test.each(["not an address", "a@b.example\r\nBcc: c@d.example", "", `${"a".repeat(300)}@b.example`])(
  "%j is refused as a recipient when it is queued",
  async (to) => {
    await expect(queued({ to })).rejects.toThrow();
  },
);

test("of two workers with the same e-mail one sends it", async () => {
  const { id } = await queued({ to: "two@buyers.example" });
  const ends = await Promise.all(Array.from({ length: 4 }, () => sendMail(id, renderMail)));
  expect(ends.filter((end) => end === "sent")).toHaveLength(1);
  expect(received).toHaveLength(1);
});

test("an e-mail that no engine was told of, or that was forgotten, is sent by the sweep, and given up at last", async () => {
  const waiting = async (to: string, attempts: number, minutes: number) => {
    const { id } = await queued({ to });
    await systemSql()`
      update emails set attempts = ${attempts}, created_at = now() - ${minutes} * interval '1 minute',
             tried_at = case when ${attempts} > 0 then now() - ${minutes} * interval '1 minute' end where id = ${id}`;
    return id;
  };
  await waiting("fresh@buyers.example", 0, 0);
  await waiting("unheard@buyers.example", 0, 2);
  await waiting("trying@buyers.example", 4, 15);
  await waiting("forgotten@buyers.example", 4, 17);
  const hopeless = await waiting("hopeless@buyers.example", 17, 121);
  await sweepMail(renderMail);
  expect(
    received
      .flatMap(({ to }) => to)
      .filter((to) => to.endsWith("@buyers.example"))
      .toSorted(),
  ).toEqual(["forgotten@buyers.example", "unheard@buyers.example"]);
  const [end] = await systemSql()`select status from emails where id = ${hopeless}`;
  expect(end).toEqual({ status: "failed" });
});
