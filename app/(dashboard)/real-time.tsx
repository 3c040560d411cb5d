import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Moment } from "@/components/dashboard/moment";
import { type AccountClock, isOnRealTime } from "@/lib/time";

/** Dates of what happens in real time whatever the test clock says: they say so while it has been moved. */
export interface RealTime {
  moment(at: Date, timeStyle?: "short" | "medium"): ReactNode;
  /** Within a sentence. */
  text(at: Date, isDayAlone?: boolean): string;
}

/** Keys, sessions, invitations and the audit log live on real time (spec/sandbox.md section 7). */
export async function realTime(clock: AccountClock | undefined): Promise<RealTime> {
  const [t, format] = await Promise.all([getTranslations("dashboard"), getFormatter()]);
  const isMoved = clock !== undefined && !isOnRealTime(clock);
  return {
    moment: (at, timeStyle = "short") => (
      <Moment
        at={at}
        text={format.dateTime(at, { dateStyle: "medium", timeStyle })}
        note={isMoved ? t("realTime") : undefined}
      />
    ),
    text(at, isDayAlone = false) {
      const date = format.dateTime(at, { dateStyle: "medium", ...(isDayAlone ? {} : { timeStyle: "short" }) });
      return isMoved ? t("realTimeOf", { date }) : date;
    },
  };
}
