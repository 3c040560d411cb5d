import { runProof } from "@/scripts/proof/runner";

process.exitCode = await runProof(process.argv.slice(2));
