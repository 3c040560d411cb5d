import { addDays, type CivilDate, saoPauloInstant } from "@/lib/brazil/bank-calendar";

const REMINDER_AT = "09:00:00";

/** In the morning in São Paulo, on the day before. */
export const reminderMoment = (dueOn: CivilDate): Date => saoPauloInstant(addDays(dueOn, -1), REMINDER_AT);
