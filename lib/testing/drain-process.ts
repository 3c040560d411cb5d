import { drainDueJobs } from "@/lib/scheduler/drain";

/** One drain of both lanes in a process of its own, for tests that kill it. */
await drainDueJobs();
process.exit(0);
