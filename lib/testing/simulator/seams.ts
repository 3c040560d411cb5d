/** A source line and what stands in its place, in a bundle and never in the work tree. */
export interface Rewrite {
  file: string;
  find: string;
  put: string;
}

/**
 * Where a simulated process differs from a real one: its clock, its waiting, its random bytes, its pools, its provider.
 * Everything else is the product as it ships.
 */
export const SEAMS: readonly Rewrite[] = [
  { file: "lib/time.ts", find: "=> new Date();", put: "=> globalThis.trilhoVirtual.now();" },
  { file: "lib/time.ts", find: "=> performance.now();", put: "=> globalThis.trilhoVirtual.monotonicMs();" },
  { file: "lib/ids.ts", find: "const bytes = drawn();", put: "const bytes = globalThis.trilhoVirtual.bytes(16);" },
  // Written by a timer of real time, whenever that comes: it must not take ids out of the run.
  { file: "lib/http/request-log.ts", find: "      id: newId(),", put: "      id: globalThis.crypto.randomUUID()," },
  { file: "lib/wait.ts", find: "  sleep(ms, undefined,", put: "  globalThis.trilhoVirtual.pause(ms, sleep," },
  {
    file: "lib/providers/sandbox/index.ts",
    find: "=> sandboxProvider(transport());",
    put: "=> globalThis.trilhoVirtual.provider();",
  },
  {
    file: "db/client.ts",
    find: "  const database = drizzle({ client,",
    put: "  globalThis.trilhoVirtual.gate(client);\n  const database = drizzle({ client,",
  },
  {
    file: "db/client.ts",
    find: '  const client = connect(role, "raw");',
    put: '  const client = globalThis.trilhoVirtual.guard(connect(role, "raw"));',
  },
  {
    file: "lib/log.ts",
    find: "    const kept: Record<string, unknown> = {};",
    put: "    globalThis.trilhoVirtual.logged(level, fields, message);\n    const kept: Record<string, unknown> = {};",
  },
  {
    file: "lib/machine.ts",
    find: "    return row;",
    put: "    globalThis.trilhoVirtual.moved(name, from, fact);\n    return row;",
  },
];
