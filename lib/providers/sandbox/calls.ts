import { forAccount } from "@/lib/providers/sandbox/for-account";

/** What the simulator received and answered, as GET /v1/sandbox/calls shows it. */
export interface SandboxCall {
  id: string;
  at: Date;
  operation: string;
  reference: string;
  request: Record<string, unknown>;
  response?: unknown;
  durationMs: number;
}

type Row = Omit<SandboxCall, "response"> & { status: number | null; response: string | null };

/** Newest first. */
export function listCalls(
  clientId: string,
  chargeId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: SandboxCall[]; total: number }> {
  return forAccount(clientId, async (sql) => {
    const rows = await sql<Row[]>`
      select id, at, operation, reference, request, status, response, duration_ms as "durationMs"
        from sandbox_calls where client_id = ${clientId} and charge_id = ${chargeId}
       order by id desc limit ${limit} offset ${offset}`;
    const [count] = await sql<{ total: number }[]>`
      select count(*)::int as total from sandbox_calls where client_id = ${clientId} and charge_id = ${chargeId}`;
    return {
      items: rows.map(({ status, response, ...call }) =>
        response === null ? call : { ...call, response: { status, body: JSON.parse(response) as unknown } },
      ),
      total: count?.total ?? 0,
    };
  });
}
