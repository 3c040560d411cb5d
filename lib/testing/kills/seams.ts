import type { Rewrite } from "@/lib/testing/simulator/seams";

/** Where a worker that is going to be killed can be held: before and after each transaction and each call. */
export const POINTS: readonly Rewrite[] = [
  {
    file: "db/client.ts",
    find: "  const database = drizzle({ client,",
    put: "  globalThis.trilhoKill.gate(client);\n  const database = drizzle({ client,",
  },
  {
    file: "lib/payments/call.ts",
    find: "  const sent = traced(",
    put: '  await globalThis.trilhoKill.reaches("send");\n  const sent = traced(',
  },
  {
    file: "lib/payments/call.ts",
    find: "  const responseMs = Math.round(",
    put: '  await globalThis.trilhoKill.reaches("sent");\n  const responseMs = Math.round(',
  },
];

/** The same round the calls of a bank, and before a statement is asked for. */
export const BANK_POINTS: readonly Rewrite[] = [
  {
    file: "lib/payouts/transfers.ts",
    find: "  return transferBank().send(call, order);",
    put: "  return globalThis.trilhoKill.around(() => transferBank().send(call, order));",
  },
  {
    file: "lib/settlement/statements.ts",
    find: "    const page = await read(",
    put: '    await globalThis.trilhoKill.reaches("send");\n    const page = await read(',
  },
];
