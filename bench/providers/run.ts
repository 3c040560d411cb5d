import { describeMachine } from "@/bench/machine";
import { measureAdapters } from "@/bench/providers/adapters";
import { measureConnections } from "@/bench/providers/connections";
import { measureFailover } from "@/bench/providers/failover";
import { inRoot } from "@/scripts/start/paths";
import { provideSecrets } from "@/scripts/start/secrets";

/** One of them: the addresses of stand-ins are read once in a process. */
const PARTS: Readonly<Record<string, { title: string; measure(): Promise<string> }>> = {
  adapters: { title: "What an adapter adds to its stand-in, of one payment", measure: measureAdapters },
  connections: { title: "A bank asked by 200 merchants at once over mTLS", measure: measureConnections },
  failover: { title: "Who is tried next, of a charge with three providers", measure: measureFailover },
};

const [, , name = ""] = process.argv;
const part = PARTS[name];
// The settings of a product that has no database here.
Object.assign(process.env, provideSecrets(inRoot(".data", "bench-providers")).made);
if (!part) throw new Error(`one of ${Object.keys(PARTS).join(", ")}`);
process.stdout.write(`${describeMachine()}\n\n${part.title}\n\n${await part.measure()}`);
process.exit(0);
