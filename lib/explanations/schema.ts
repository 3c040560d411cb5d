import { z } from "zod";
import { FIGURE_NAMES, FIGURES, SUBJECTS, type SubjectName } from "@/lib/explanations/names";
import { day, instantOut, uuid } from "@/lib/http/fields";

export const MOST_EXPLAINED = 100;

const about = (what: string) => uuid.optional().meta({ description: what });

export const explanationQuery = z
  .object({
    figure: z.enum(FIGURE_NAMES),
    sellerId: about(
      "Of balances, `split.*`, `calendar.*` and `charge.net`; without it the account's own, or the merchant's",
    ),
    chargeId: about("Of `charge.*` and `split.*`"),
    receivableId: about("Of `receivable.*`"),
    batchId: about("Of `batch.*`"),
    lineId: about("Of `batch.line`: the id of a row of `batch.finalBalance`"),
    prepaymentId: about("Of `prepayment.*`"),
    checkpointId: about("Of `balance.broughtForward`: the source of a row of type `brought_forward`"),
    customerId: about("Of `customer.paid`"),
    paymentId: about("Of `settlement.*`: a charge, or a purchase"),
    whose: z.enum(["own", "sellers"]).optional().meta({ description: "Of `calendar.month`; everybody's unless said" }),
    day: day.optional().meta({ description: "Of `calendar.day`" }),
    month: day
      .optional()
      .meta({ description: "Its first day: of `calendar.month`, and of `subscriptions.*` of a month" }),
    reportId: about("Of `report.total`"),
    column: z.string().max(100).optional().meta({ description: "An amount column of the report" }),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "must be three letters")
      .optional()
      .meta({ description: "Of `report.total`; BRL unless said" }),
    limit: z
      .string()
      .regex(/^([1-9]\d?|100)$/, "must be a whole number from 1 to 100")
      .default(String(MOST_EXPLAINED))
      .transform(Number)
      .meta({ type: "integer", minimum: 1, maximum: MOST_EXPLAINED, default: MOST_EXPLAINED }),
    next: z.string().max(200).optional().meta({ description: "The rows after those that an answer ended with" }),
  })
  .superRefine((query, issues) => {
    const { subject, optional } = FIGURES[query.figure];
    const expected: readonly SubjectName[] = subject;
    const allowed: readonly SubjectName[] = optional;
    for (const name of SUBJECTS) {
      const isGiven = query[name] !== undefined;
      if (expected.includes(name) && !isGiven) {
        issues.addIssue({ code: "custom", path: [name], message: `names what ${query.figure} is of` });
      }
      if (isGiven && !expected.includes(name) && !allowed.includes(name)) {
        issues.addIssue({ code: "custom", path: [name], message: `has nothing to do with ${query.figure}` });
      }
    }
  });
export type ExplanationQuery = z.output<typeof explanationQuery>;
/** A figure and what it is of. */
export type AskedFigure = Pick<ExplanationQuery, "figure" | SubjectName>;

export const explanationBody = z
  .object({
    figure: z.enum(FIGURE_NAMES),
    value: z.int().meta({ description: "In the smallest unit of `currency`: the sum of all rows" }),
    currency: z.string(),
    formula: z.string(),
    rows: z
      .array(
        z.object({
          id: z.string(),
          type: z.string().meta({ description: "Of the journal, receivable, line, item or file" }),
          amount: z.int(),
          at: instantOut,
          chargeId: z.uuid().nullable(),
          installment: z.int().nullable(),
          journalId: z.uuid().nullable().meta({ description: "What was booked" }),
          ruleId: z.uuid().nullable().meta({ description: "The row of prices, or the plan, that decided" }),
          requestId: z.string().nullable().meta({ description: "The call that made the charge" }),
          source: z.object({ type: z.string(), id: z.string() }).meta({ description: "Where the amount stands" }),
        }),
      )
      .max(MOST_EXPLAINED)
      .meta({ description: "Oldest first" }),
    next: z.string().nullable().meta({ description: "null: no more rows" }),
    rowCount: z.int().meta({ description: "Of all pages" }),
    ruleIds: z.array(z.uuid()).meta({ description: "Of these rows" }),
    journals: z.array(z.uuid()).meta({ description: "Of these rows" }),
    asOf: instantOut,
  })
  .meta({ id: "Explanation", description: "The rows that a figure is the sum of" });
export type ExplanationBody = z.input<typeof explanationBody>;
