import type { Database } from "@/db/client";
import type { NoticeKind } from "@/db/schema/notices";
import { env } from "@/lib/env";
import { DEFAULT_LOCALE } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { queueOperatorMail } from "@/lib/mail/queue";
import { realNow } from "@/lib/time";

export interface InstallationNotice {
  kind: NoticeKind;
  name: string | null;
  path: string;
  /** The same name is written once, ever. */
  dedupe: string;
}

/** To whoever runs the installation, in the transaction of its cause; nobody where no address was given. */
export async function mailInstallation(db: Database, { kind, name, path, dedupe }: InstallationNotice): Promise<void> {
  const { OPERATOR_EMAIL, BASE_URL } = env();
  if (OPERATOR_EMAIL === undefined) return;
  const url = `${BASE_URL}${path}`;
  await queueOperatorMail(db, {
    template: "operator-notice",
    to: OPERATOR_EMAIL,
    locale: DEFAULT_LOCALE,
    dedupe,
    data: {
      accountName: new URL(BASE_URL).host,
      kind,
      count: 1,
      notices: [{ id: newId(), name, at: realNow().toISOString(), url }],
      url,
    },
  });
}
