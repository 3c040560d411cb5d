import { and, desc, eq, gte, lt, notInArray } from "drizzle-orm";
import { z } from "zod";
import { requestLogs } from "@/db/schema/accounts";
import type { Context } from "@/lib/context";
import { instantOut } from "@/lib/http/fields";
import { MAX_PAGE_SIZE } from "@/lib/http/pagination";
import { LISTED, type ListedRequest, REQUEST_METHODS, REQUEST_RESULTS } from "@/lib/request-logs/queries";

const DEFAULT_LIMIT = 20;

/** Whoever watches would otherwise see little but the watching. */
const WATCHING = ["/v1/logs", "/v1/webhooks/{id}/listen"];

export const tailQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_PAGE_SIZE))
    .default(DEFAULT_LIMIT)
    .meta({ type: "integer", minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_LIMIT }),
  method: z.enum(REQUEST_METHODS).optional(),
  // Guarantee: the keys of a table that has some.
  result: z.enum(Object.keys(REQUEST_RESULTS) as [keyof typeof REQUEST_RESULTS]).optional(),
});
export type TailQuery = z.output<typeof tailQuery>;

export const tailBody = z
  .object({
    items: z.array(
      z
        .object({
          id: z.uuid(),
          createdAt: instantOut,
          method: z.string(),
          path: z.string(),
          status: z.int(),
          durationMs: z.int(),
          requestId: z.string(),
          idempotencyKey: z.string().optional(),
          replayed: z.boolean(),
        })
        .meta({ id: "LoggedRequest" }),
    ),
  })
  .meta({ id: "RequestLog", description: "The newest calls of the account, the newest first, without their bodies." });

const { keyKind: _keyKind, ...TOLD } = LISTED;
type TailItem = z.input<typeof tailBody>["items"][number];

export async function newestRequests(ctx: Context, { limit, method, result }: TailQuery): Promise<TailItem[]> {
  const range = result && REQUEST_RESULTS[result];
  const rows: Omit<ListedRequest, "keyKind">[] = await ctx.db
    .select(TOLD)
    .from(requestLogs)
    .where(
      and(
        eq(requestLogs.clientId, ctx.account.id),
        notInArray(requestLogs.route, WATCHING),
        method ? eq(requestLogs.method, method) : undefined,
        range && and(gte(requestLogs.status, range[0]), lt(requestLogs.status, range[1])),
      ),
    )
    .orderBy(desc(requestLogs.createdAt), desc(requestLogs.id))
    .limit(limit);
  return rows.map(({ idempotencyKey, ...row }) => ({ ...row, ...(idempotencyKey === null ? {} : { idempotencyKey }) }));
}
