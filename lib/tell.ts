import type { Database } from "@/db/client";
import { type NoticeKind, notices } from "@/db/schema/notices";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/outbox";
import { realNow } from "@/lib/time";

/** The workflow `write-notices` hears it; the triggers of db/policies say it too. */
export const NOTICES_WRITTEN = "notices/written";

export interface NewNotice {
  clientId: string;
  kind: NoticeKind;
  path: string;
  /** On the account's clock. */
  at: Date;
  merchantId?: string;
  providerId?: string;
  name?: string;
  byName?: string;
  /** Nobody is told of what they did themselves. */
  askedBy?: string;
  operatorId?: string;
  /** False: on the dashboard alone, whatever people chose for its kind. */
  isMailed?: boolean;
}

/** In the transaction of its cause, where no trigger does it. */
export async function tell(db: Database, { isMailed = true, ...notice }: NewNotice): Promise<void> {
  const at = realNow();
  await db.insert(notices).values({ ...notice, id: newId(), createdAt: at, fannedOutAt: isMailed ? null : at });
  await enqueue(db, notice.clientId, NOTICES_WRITTEN, {});
}
