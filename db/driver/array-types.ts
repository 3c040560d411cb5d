/**
 * On each new connection the driver (postgres.js 3.4) asks which array types there are, and waits for the answer in a
 * promise of nobody: when the connection breaks meanwhile, its failure reaches the process. What waited for that
 * connection is told of its end as ever, and the next connection asks anew.
 */
export const isLostTypeQuery = (error: unknown): boolean =>
  error instanceof Object &&
  "query" in error &&
  typeof error.query === "string" &&
  /^\s*select b\.oid, b\.typarray\s/.test(error.query);
