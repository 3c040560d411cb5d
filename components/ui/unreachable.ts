/** As each browser says that a request never came back. */
const FETCH_FAILED = /fetch|network|load failed/i;

/** Whether an action was lost on its way, there or back. What failed at the server carries a digest. */
export const isUnreachable = (thrown: unknown): boolean =>
  thrown instanceof TypeError && !("digest" in thrown) && FETCH_FAILED.test(thrown.message);
