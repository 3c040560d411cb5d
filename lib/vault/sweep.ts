import { systemSql, vaultSql } from "@/db/client";
import { log } from "@/lib/log";
import { addSeconds, realNow } from "@/lib/time";
import { deletePans } from "@/lib/vault/cards";

const BATCH = 500;
const MOST_BATCHES = 20;
/** Longer than any transaction: by then a record has its token, or never gets one. */
const SETTLED_SECONDS = 3_600;
const NAME = "cards";

interface Found {
  id: string;
  client_id: string;
}

/**
 * The vault commits on its own: a process killed before its payment was stored leaves a number that belongs to nothing.
 * Every record is looked at once, when it is old enough, and goes unless a token or a card names it. Answers how many went.
 */
export async function sweepRecords(settledSeconds = SETTLED_SECONDS): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const found = await nextRecords(settledSeconds);
    const last = found.at(-1);
    if (!last) break;
    swept += await deleteUnnamed(found);
    await vaultSql()`
      insert into vault.sweeps (name, seen) values (${NAME}, ${last.id})
      on conflict (name) do update set seen = excluded.seen`;
    if (found.length < BATCH) break;
  }
  if (swept > 0) log.warn({ job: "sweep-vault", count: swept }, "Card numbers without a payment were deleted");
  return swept;
}

/** In the order of their ids, which is the order of time; an id of the future waits until its time has come. */
async function nextRecords(settledSeconds: number): Promise<Found[]> {
  const until = addSeconds(realNow(), -settledSeconds);
  let found: Found[] = [];
  await vaultSql().begin(async (sql) => {
    await sql`select set_config('app.vault_upkeep', 'on', true)`;
    found = [
      ...(await sql<Found[]>`
        select id, client_id from vault.cards
         where id > coalesce((select seen from vault.sweeps where name = ${NAME}), ${firstIdOf(new Date(0))}::uuid)
           and id < ${firstIdOf(until)}::uuid
         order by id limit ${BATCH}`),
    ];
  });
  return found;
}

const TIME_DIGITS = 12;
/** The smallest id of a moment (lib/ids.ts). */
function firstIdOf(at: Date): string {
  const hex = at.getTime().toString(16).padStart(TIME_DIGITS, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

async function deleteUnnamed(found: readonly Found[]): Promise<number> {
  const ids = found.map(({ id }) => id);
  // A record bears the name of its token.
  const tokens = await systemSql()<{ id: string }[]>`select id from card_tokens where id = any(${ids}::uuid[])`;
  const named = new Set(tokens.map(({ id }) => id));
  const left = found.filter(({ id }) => !named.has(id));
  if (left.length === 0) return 0;
  const clients = [...new Set(left.map(({ client_id }) => client_id))];
  const cards = await systemSql()<{ id: string }[]>`
    select vault_id as id from cards
     where client_id = any(${clients}::uuid[]) and vault_id = any(${left.map(({ id }) => id)}::uuid[])`;
  for (const { id } of cards) named.add(id);
  const gone = left.filter(({ id }) => !named.has(id));
  for (const client of clients) {
    await deletePans(
      client,
      gone.flatMap(({ id, client_id }) => (client_id === client ? [id] : [])),
    );
  }
  return gone.length;
}
