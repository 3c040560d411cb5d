import type postgres from "postgres";

const IDLE_LIMIT = "5s";
/** Far above what a claim takes, so that only a process that stopped in the middle of one meets it. */
const WHOLE_LIMIT = "15s";
/** Older servers have no `transaction_timeout`: there such a pause between parse and execution lasts until it ends. */
const SINCE_VERSION = 170_000;

/**
 * What a transaction begins with whose locks other workers wait for. A process that is paused would hold them until it
 * wakes up: the server ends its transaction. It is idle for the server only between two statements: a pause between the
 * parse and the execution of one counts for the transaction as a whole alone.
 */
export const endedWhenPaused = (sql: postgres.ISql) => sql`
  set_config('idle_in_transaction_session_timeout', ${IDLE_LIMIT}, true),
  case when current_setting('server_version_num')::int >= ${SINCE_VERSION}
       then set_config('transaction_timeout', ${WHOLE_LIMIT}, true) end`;
