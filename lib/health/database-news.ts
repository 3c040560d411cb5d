import { type DatabaseNews, onDatabaseNews } from "@/db/availability";
import { log } from "@/lib/log";

/** One line for each change of the database's state, and one a minute while it is away. */
export const logDatabaseNews = (): void => onDatabaseNews(write);

function write(news: DatabaseNews): void {
  if (news.is === "back") log.info({ count: news.seconds }, `the database is back after ${news.seconds} s`);
  else if (news.is === "shaken") log.warn({}, "connections to the database broke; it answers");
  else if (news.seconds === 0)
    log.error({ reason: news.reason }, "the database is away; it is asked again until it is back");
  else log.error({ reason: news.reason, count: news.seconds }, `the database has been away for ${news.seconds} s`);
}
