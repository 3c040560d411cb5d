import { createHash } from "node:crypto";
import { addDays } from "@/lib/brazil/bank-calendar";
import type { Settlement } from "@/lib/providers/statements";
import { type Hosts, send } from "@/lib/testing/mirror/adapter-recipients";
import { answerOf } from "@/lib/testing/mirror/answers";
import { statement, taken } from "@/lib/testing/mirror/wire";

/**
 * Its statement has a page for each day. The kit alone gives MIRROR this: beside the simulator it stands for the
 * acquirers whose statements are uploaded.
 */
export const settlementCalls = (hosts: Hosts): Required<Settlement> => ({
  async statement(call, { from, to, after: day = from }) {
    const read = answerOf(await send(hosts, call, { method: "GET", path: `/statements/${day}` }), statement);
    if (!read.ok) return { kind: "unavailable" };
    const lines = read.value.lines.map(({ transactionId: providerTxId, installment: instalment, ...line }) => ({
      ...line,
      providerTxId,
      instalment,
      settledOn: day,
    }));
    return { kind: "page", lines, ...(day < to ? { next: addDays(day, 1) } : {}) };
  },
  async payEarly(call, asked) {
    const payments = asked.map(({ providerTxId: transactionId, instalment: installment, ...terms }) => ({
      transactionId,
      installment,
      ...terms,
    }));
    const digest = createHash("sha256").update(JSON.stringify(payments)).digest("hex");
    const request = { method: "POST", path: "/early-payments", key: `${digest}:early`, body: { payments } } as const;
    return { kind: answerOf(await send(hosts, call, request), taken).ok ? "done" : "unavailable" };
  },
});
