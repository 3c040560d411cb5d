import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { mailFolder } from "@/lib/mail/delivery";
import { isAskedLocally, isMailboxShown, listKept, readKeptMail } from "@/lib/mail/mailbox";
import { queueMail } from "@/lib/mail/queue";
import { forgetMail } from "@/lib/mail/send";
import { openClient } from "@/lib/testing/api";
import { sendQueued } from "@/lib/testing/mail";
import { MAIL_SAMPLES } from "@/lib/testing/mail-samples";

const made: string[] = [];
afterAll(() => {
  for (const id of made)
    for (const kind of ["eml", "html", "txt"]) rmSync(join(mailFolder(), `${id}.${kind}`), { force: true });
});

async function keptMail() {
  const client = await openClient();
  const [data] = MAIL_SAMPLES["pix-code"];
  const id = await queueMail(await client.context(), {
    template: "pix-code",
    locale: "en",
    to: "ana@buyer.example",
    data: data!,
  });
  made.push(id);
  await sendQueued(client.clientId);
  return { client, id };
}

test("without a mail server an e-mail is kept as three files that stand for themselves", async () => {
  const { id } = await keptMail();
  const file = (kind: string) => readFileSync(join(mailFolder(), `${id}.${kind}`), "utf8");
  expect(file("eml")).toContain(`Message-ID: <${id}@trilho.localhost>`);
  expect(file("txt")).toContain("Pay R$1,234.56 by Pix");
  expect(file("html")).toContain('src="data:image/png;base64,');
  expect(file("html")).not.toContain("cid:");
});

test("the mailbox lists what was kept, newest first, and opens it", async () => {
  const [first, second] = [await keptMail(), await keptMail()];
  const listed = (await listKept()).map(({ id }) => id).filter((id) => made.includes(id));
  expect(listed.slice(0, 2)).toEqual([second.id, first.id]);
  expect(await readKeptMail(first.id)).toMatchObject({
    to: "ana@buyer.example",
    subject: expect.stringContaining("Pix"),
    html: expect.stringContaining("<html"),
    text: expect.stringContaining("Pix"),
  });
  expect(await readKeptMail(newId())).toBeUndefined();
  expect(await readKeptMail("../secrets")).toBeUndefined();
});

test("kept e-mails are forgotten with their files after a time", async () => {
  const { id } = await keptMail();
  await systemSql()`update emails set created_at = now() - interval '91 days' where id = ${id}`;
  await forgetMail();
  expect(await readKeptMail(id)).toBeUndefined();
  expect(() => readFileSync(join(mailFolder(), `${id}.html`))).toThrow();
});

test.each([
  [{ SMTP_URL: undefined, HOST: "127.0.0.1", BASE_URL: "http://localhost:3000", TRUST_PROXY: 0 }, true],
  [{ SMTP_URL: "smtp://mail", HOST: "127.0.0.1", BASE_URL: "http://localhost:3000", TRUST_PROXY: 0 }, false],
  [{ SMTP_URL: undefined, HOST: "0.0.0.0", BASE_URL: "http://localhost:3000", TRUST_PROXY: 0 }, false],
  [{ SMTP_URL: undefined, HOST: "127.0.0.1", BASE_URL: "https://pay.example", TRUST_PROXY: 0 }, false],
  [{ SMTP_URL: undefined, HOST: "127.0.0.1", BASE_URL: "http://localhost:3000", TRUST_PROXY: 1 }, false],
])("the mailbox of %j is shown: %s", (settings, isShown) => {
  expect(isMailboxShown(settings)).toBe(isShown);
});

test.each([
  ["localhost:3000", true],
  ["127.0.0.1:3000", true],
  ["[::1]:3000", true],
  ["localhost.evil.example:3000", false],
  ["evil.example", false],
  ["localhost@evil.example", false],
  ["", false],
  [null, false],
])("asked by the name %s, it answers: %s", (host, isAnswered) => {
  expect(isAskedLocally(host)).toBe(isAnswered);
});
