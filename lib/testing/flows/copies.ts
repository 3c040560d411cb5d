import postgres from "postgres";

/** Many copies of a payment that was made, so that there is something to reckon with. */
export async function copies(chargeId: string, times: number, { declined = 0 } = {}): Promise<void> {
  const { DATABASE_OWNER_URL: owner = "" } = process.env;
  const db = postgres(owner, { max: 1, onnotice: () => undefined });
  const columns = async (table: string, replaced: Record<string, string>) => {
    const rows = await db<{ name: string }[]>`
      select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`;
    return {
      names: rows.map(({ name }) => `"${name}"`).join(", "),
      values: rows.map(({ name }) => replaced[name] ?? `t."${name}"`).join(", "),
    };
  };
  const isDeclined = `g <= ${declined}`;
  const [c, d, r] = [
    await columns("charges", {
      id: "md5(t.id::text || 'c' || g)::uuid",
      status: `case when ${isDeclined} then 'failed' else t.status end`,
      order_id: "null",
    }),
    await columns("routing_decisions", {
      charge_id: "md5(t.charge_id::text || 'c' || g)::uuid",
      facts: "t.facts || jsonb_build_object('unit', md5(t.charge_id::text || 'c' || g)::uuid)",
    }),
    await columns("transaction_requests", {
      id: "md5(t.id::text || 'r' || g)::uuid",
      charge_id: "md5(t.charge_id::text || 'c' || g)::uuid",
      reference: "t.reference || g",
      state: `case when ${isDeclined} then 'declined' else t.state end`,
    }),
  ];
  await db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(
      `insert into charges (${c.names}) select ${c.values} from charges t, generate_series(1, ${times}) g where t.id = '${chargeId}'`,
    );
    await tx.unsafe(
      `insert into routing_decisions (${d.names}) select ${d.values} from routing_decisions t, generate_series(1, ${times}) g where t.charge_id = '${chargeId}'`,
    );
    await tx.unsafe(
      `insert into transaction_requests (${r.names}) select ${r.values} from transaction_requests t, generate_series(1, ${times}) g where t.charge_id = '${chargeId}'`,
    );
  });
  await db.end();
}
