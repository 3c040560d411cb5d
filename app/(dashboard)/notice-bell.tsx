import { getFormatter, getTranslations } from "next-intl/server";
import { noticeWords } from "@/app/(dashboard)/dashboard/notices/words";
import { failingSince } from "@/app/(dashboard)/failing-since";
import { memberOf } from "@/app/(dashboard)/operator-context";
import { Bell } from "@/components/notices/bell";
import { now } from "@/lib/context";
import { log } from "@/lib/log";
import { type NoticeLine, noticesOf } from "@/lib/notices/queries";

const PAGE = "/dashboard/notices";
const MOST_SHOWN = 5;

/** Stands on every page: what it cannot read it does not show, and the page is there all the same. */
export async function NoticeBell() {
  const member = await memberOf();
  if (!member) return null;
  const [t, words, format, failing, lines] = await Promise.all([
    getTranslations("notices"),
    noticeWords(),
    getFormatter(),
    failingSince(),
    noticesOf(member.ctx, member.role).catch((error: unknown): NoticeLine[] => {
      log.error({ error }, "notices could not be read");
      return [];
    }),
  ]);
  const unread = lines.filter(({ isUnread }) => isUnread);
  return (
    <Bell
      count={unread.length}
      allHref={PAGE}
      texts={{
        label: t("bell", { count: unread.length }),
        title: t("bellTitle"),
        none: t("bellNone"),
        all: t("bellAll"),
      }}
      items={unread.slice(0, MOST_SHOWN).map((line) => ({
        id: line.id,
        href: line.path,
        text: words.say(line.kind, line, line.count),
        when: line.failingSince ? failing(line.failingSince) : format.relativeTime(line.at, now(member.ctx)),
      }))}
    />
  );
}
