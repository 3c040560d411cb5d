import postgres from "postgres";
import { expect, test } from "vitest";
import { exportLines } from "@/lib/accounts/export";
import { inTransaction } from "@/lib/context";
import { flushRequestLog } from "@/lib/http/request-log";
import { contentOf } from "@/lib/sellers/document-content";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { withMerchant } from "@/lib/testing/payments";
import { afterDelay, documentForm, newSeller } from "@/lib/testing/sellers";

/** As a text, in hexadecimal and in base64, wherever in it the words begin. */
const formsOf = (words: string): string[] => [
  words,
  Buffer.from(words).toString("hex"),
  ...[0, 1, 2].map((before) =>
    Buffer.from(" ".repeat(before) + words)
      .toString("base64")
      .slice(4, -4),
  ),
];

test("what a document shows is readable in no row of any table and in no export, and its owner reads it", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const words = `Carteira de Ana Souza ${client.clientId}`;
  const file = Buffer.from(`%PDF-1.4\n${words}\n%%EOF\n`);
  const send = (type: string) => client.make("POST", "/v1/sellers/documents", { raw: documentForm(file, type) });
  const [named, unnamed] = [await send("CNH_FULL"), await send("SELFIE")];
  await client.make("POST", "/v1/sellers", { body: newSeller(merchant.id, { documents: [named.id] }) });
  await afterDelay(client);
  await flushRequestLog();
  const kept = (id: string) => client.context().then((ctx) => inTransaction(ctx, (inside) => contentOf(inside, id)));
  for (const { id } of [named, unnamed]) expect((await kept(id))?.file.includes(words)).toBe(true);

  const forms = formsOf(words);
  expect(forms.every((form) => form.length > 20)).toBe(true);
  let exported = "";
  for await (const chunk of exportLines(await client.context(), "Loja")) exported += chunk;
  expect(exported).toContain(named.id);
  expect(forms.filter((form) => exported.includes(form))).toEqual([]);

  const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  try {
    const tables = await owner<{ name: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_|information_schema)'`;
    const readable: string[] = [];
    for (const { name } of tables) {
      const [row] = await owner.unsafe<{ n: number }[]>(
        `select count(*)::int as n from ${name} t where exists (
           select from unnest($1::text[]) form where strpos(t::text, form) > 0)`,
        [forms],
      );
      if (row && row.n > 0) readable.push(name);
    }
    expect(tables.length).toBeGreaterThan(50);
    expect(readable).toEqual([]);
  } finally {
    await owner.end();
  }
});
