import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { inSnapshot, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { checkAccount } from "@/lib/invariants/check";
import { readPan } from "@/lib/vault/cards";
import { privateKeyOf, signedHeaders } from "@/lib/webhooks/signature";
import { withDatabase } from "@/scripts/start/with-database";

/** Opens a data folder as every command does, with no secrets but those in it, and says what works. */
const [, , clientId = "", vaultId = "", webhookId = ""] = process.argv;

const found = await withDatabase(async () => {
  const accounts = await systemSql()<{ id: string }[]>`select id from clients`;
  const broken: string[] = [];
  let checked = 0;
  for (const { id } of accounts) {
    const context = systemContext(await loadAccount(id), newId());
    const { invariants } = await inSnapshot(context, checkAccount);
    for (const one of invariants) {
      checked += one.checked;
      if (one.violations > 0) broken.push(one.id);
    }
  }
  const [webhook] = await systemSql()<{ private_key: Buffer }[]>`
    select private_key from webhooks where id = ${webhookId}`;
  if (!webhook) throw new Error("the webhook was not restored");
  const key = privateKeyOf(webhookId, webhook.private_key);
  const headers = signedHeaders({ eventId: newId(), body: Buffer.from("{}"), at: new Date(), key });
  const [sequence] = await systemSql()<{ next: number }[]>`select nextval('purchase_moves_seq_seq')::int as next`;
  return {
    next: sequence?.next,
    broken,
    checked,
    pan: await readPan(clientId, vaultId),
    isSigned: Object.keys(headers).length > 0,
  };
});
process.stdout.write(`${JSON.stringify(found)}\n`);
