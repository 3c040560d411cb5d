import { closePools, systemSql } from "@/db/client";
import { startDispatcher } from "@/lib/webhooks/dispatcher";

/** The dispatcher alone in a process of its own, for tests that kill it: says when it works. */
const dispatcher = await startDispatcher({ sql: systemSql(), timeoutMs: 400 });
process.send?.("ready");
process.on("disconnect", () => void dispatcher.stop().then(closePools));
