import { systemSql } from "@/db/client";

const LINKS_AT_A_TIME = 2_000;
const LINKS_A_RUN = 100_000;
/** The newest links that one request recomputes; the continuous audit goes over all of them. */
export const MOST_VERIFIED = 50_000;

/** Gives every audit row that waits its place in the chain of its account; answers how many. */
export async function linkAudit(): Promise<number> {
  for (let linked = 0; ; ) {
    const [made] = await systemSql()<{ rows: number }[]>`select audit_link(${LINKS_AT_A_TIME}) as rows`;
    linked += made?.rows ?? 0;
    if ((made?.rows ?? 0) < LINKS_AT_A_TIME || linked >= LINKS_A_RUN) return linked;
  }
}

export interface ChainHead {
  position: number;
  hash: string;
}

export async function headOf(clientId: string): Promise<ChainHead | undefined> {
  const [head] = await systemSql()<ChainHead[]>`
    select position::int as position, encode(hash, 'hex') as hash from audit_chain
     where client_id = ${clientId} order by position desc limit 1`;
  return head;
}

export interface VerifiedChain {
  links: number;
  from: number;
  to: number;
  /** Positions whose row is missing or is not what the link stands for. */
  broken: number[];
}

const MOST_TOLD = 20;

/** Recomputes the newest links of an account from the rows themselves. */
export async function verifyChain(clientId: string): Promise<VerifiedChain> {
  const [found] = await systemSql()<{ links: number; from: number; to: number; broken: number[] | null }[]>`
    with newest as (
      select * from audit_chain where client_id = ${clientId} order by position desc limit ${MOST_VERIFIED}),
    judged as (
      select c.position, a.id is null or p.hash is null and c.position > 1 or c.hash <> audit_hash(p.hash, a) as is_broken
        from newest c left join audit_log a on a.id = c.id and a.client_id = c.client_id
        left join audit_chain p on p.client_id = c.client_id and p.position = c.position - 1)
    select count(*)::int as links, coalesce(min(position), 0)::int as from, coalesce(max(position), 0)::int as to,
           (array_agg(position::int order by position) filter (where is_broken))[1:${MOST_TOLD}] as broken
      from judged`;
  if (!found) throw new Error("a verification that answered nothing");
  return { ...found, broken: found.broken ?? [] };
}

/**
 * One digest over the heads of all accounts: published, it holds every audit row written so far in place, and tells a
 * stranger neither how many accounts there are nor how many rows.
 */
export async function installationHead(): Promise<string | undefined> {
  const [head] = await systemSql()<{ hash: string | null }[]>`
    select encode(sha256(string_agg(h.hash, ''::bytea order by k.id)), 'hex') as hash
      from clients k cross join lateral (
        select hash from audit_chain c where c.client_id = k.id order by position desc limit 1) h`;
  return head?.hash ?? undefined;
}
