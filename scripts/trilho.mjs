#!/usr/bin/env node
// The command line is TypeScript like the rest: the repository's own tsx reads it, from whatever folder it is called in.
import { fileURLToPath } from "node:url";
import { register } from "tsx/esm/api";

// Whoever reads it may stop reading: `trilho logs tail | head`.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});
register({ tsconfig: fileURLToPath(new URL("../tsconfig.json", import.meta.url)) });
const { main } = await import("./trilho/main.ts");
process.exitCode = await main(process.argv.slice(2));
