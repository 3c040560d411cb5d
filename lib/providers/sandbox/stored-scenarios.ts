import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { forAccount } from "@/lib/providers/sandbox/for-account";
import { parseScenario } from "@/lib/providers/sandbox/scenario";

/** Scenarios for payments that no request makes: subscription cycles, retries, automatic captures. */
export type ScenarioTarget = { cardId: string } | { customerId: string } | { merchantId: string };

export interface StoredScenario {
  id: string;
  target: ScenarioTarget;
  scenario: string;
  /** Uses left; null = always. */
  remaining: number | null;
  createdAt: Date;
}

interface Row {
  id: string;
  targetKind: "card" | "customer" | "merchant";
  targetId: string;
  scenario: string;
  times: number;
  used: number;
  createdAt: Date;
}

const storedOf = ({ id, targetKind, targetId, scenario, times, used, createdAt }: Row): StoredScenario => ({
  id,
  target: TARGETS[targetKind](targetId),
  scenario,
  remaining: times === 0 ? null : times - used,
  createdAt,
});

const TARGETS: Record<Row["targetKind"], (id: string) => ScenarioTarget> = {
  card: (cardId) => ({ cardId }),
  customer: (customerId) => ({ customerId }),
  merchant: (merchantId) => ({ merchantId }),
};

function columnsOf(target: ScenarioTarget): { kind: Row["targetKind"]; id: string } {
  if ("cardId" in target) return { kind: "card", id: target.cardId };
  if ("customerId" in target) return { kind: "customer", id: target.customerId };
  return { kind: "merchant", id: target.merchantId };
}

/** The text has passed `parseScenario`. */
export async function storeScenario(
  clientId: string,
  target: ScenarioTarget,
  text: string,
  now: Date,
): Promise<StoredScenario> {
  const parsed = parseScenario(text);
  if (!parsed.ok) throw new Error("a scenario is checked before it is stored");
  const { kind, id: targetId } = columnsOf(target);
  const { times } = parsed.value;
  const row: Row = { id: newId(), targetKind: kind, targetId, scenario: text, times, used: 0, createdAt: now };
  await forAccount(
    clientId,
    (sql) => sql`
      insert into sandbox_scenarios (id, client_id, target_kind, target_id, scenario, times, created_at)
      values (${row.id}, ${clientId}, ${kind}, ${targetId}, ${text}, ${times}, ${now})`,
  );
  return storedOf(row);
}

export interface ScenarioPage {
  items: StoredScenario[];
  total: number;
}

export function listScenarios(
  clientId: string,
  { limit, offset, order }: { limit: number; offset: number; order: "asc" | "desc" },
): Promise<ScenarioPage> {
  return forAccount(clientId, async (sql) => {
    const direction = order === "asc" ? sql`asc` : sql`desc`;
    const rows = await sql<Row[]>`
      select id, target_kind as "targetKind", target_id as "targetId", scenario, times, used, created_at as "createdAt"
        from sandbox_scenarios where client_id = ${clientId}
       order by created_at ${direction}, id ${direction} limit ${limit} offset ${offset}`;
    const [count] = await sql<{ total: number }[]>`
      select count(*)::int as total from sandbox_scenarios where client_id = ${clientId}`;
    return { items: rows.map(storedOf), total: count?.total ?? 0 };
  });
}

export async function deleteScenario(clientId: string, id: string): Promise<boolean> {
  const gone = await forAccount(
    clientId,
    (sql) => sql`delete from sandbox_scenarios where id = ${id} and client_id = ${clientId} returning id`,
  );
  return gone.length > 0;
}

/**
 * Uses up the oldest stored scenario that fits a payment nobody requested, and gives the text to forward as
 * `CallContext.scenario`. The stored row has counted this use, so the text applies however often it is sent.
 */
export async function takeScenario(
  clientId: string,
  about: { cardId?: string; customerId?: string; merchantId: string },
): Promise<string | undefined> {
  const targets = [about.cardId, about.customerId, about.merchantId].filter((id) => id !== undefined);
  const [taken] = await systemSql()<{ scenario: string }[]>`
    update sandbox_scenarios set used = used + 1
     where id = (select id from sandbox_scenarios
                  where client_id = ${clientId} and target_id = any(${targets}::uuid[])
                    and (times = 0 or used < times)
                  order by created_at, id limit 1 for update skip locked)
     returning scenario`;
  return taken && `${withoutTimes(taken.scenario)};times=0`;
}

const withoutTimes = (text: string): string =>
  text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^times\s*=/.test(part))
    .join(";");
