import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { explanationWords } from "@/app/(dashboard)/explanation-words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { ActionDialog } from "@/components/charges/action-dialog";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Context } from "@/lib/context";
import { FIGURES, isFigureName, type SubjectName } from "@/lib/explanations/names";
import type { ExplanationBody } from "@/lib/explanations/schema";
import { explainForOperator } from "@/lib/explanations/service";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const ROWS = 25;

interface ExplanationSheetProps {
  ctx: Context;
  role: OperatorRole;
  /** The page's address: `why` names the figure, `from` the page of its rows. */
  path: string;
  given: GivenParameters;
  /** What figures of this page are of; each figure takes what concerns it. */
  subject: Partial<Record<SubjectName, string | undefined>>;
}

/** Why a figure is what it is: its rule, the rows that add up to it, and the payments behind them. */
export async function ExplanationSheet({ ctx, role, path, given, subject }: ExplanationSheetProps) {
  const figure = oneOf(given, "why") ?? "";
  if (!isFigureName(figure) || !may(role, "ledger.see")) return null;
  const names: readonly SubjectName[] = [...FIGURES[figure].subject, ...FIGURES[figure].optional];
  const about = Object.fromEntries(names.flatMap((name) => (subject[name] ? [[name, subject[name]]] : [])));
  const asked = { figure, ...about, limit: ROWS, next: oneOf(given, "from") };
  const explanation = await explainForOperator(ctx, role, asked);
  if (!explanation) return null;
  const [t, words] = await Promise.all([getTranslations("explanations"), explanationWords()]);
  const { name, rule } = words.figure(figure);
  const without = { why: undefined, from: undefined, part: undefined, of: undefined };
  return (
    <ActionDialog title={name} text={rule} closeHref={withParameters(path, given, without)} shape="sheet">
      <div className="pt-4 pb-5">
        <Rows explanation={explanation} />
        {explanation.next === null ? null : (
          <div className="flex justify-end px-5 pt-4">
            <LinkButton href={withParameters(path, given, { from: explanation.next })} scroll={false}>
              {t("more")}
            </LinkButton>
          </div>
        )}
      </div>
    </ActionDialog>
  );
}

async function Rows({ explanation: { figure, rows, value, currency, rowCount } }: { explanation: ExplanationBody }) {
  const [t, words, format, locale] = await Promise.all([
    getTranslations("explanations"),
    explanationWords(),
    getFormatter(),
    getLocale(),
  ]);
  if (rowCount === 0) return <p className="px-5 text-ink-2 text-sm">{t("empty")}</p>;
  const money = (cents: number) => formatCents(cents, currency, locale);
  return (
    <Table caption={words.figure(figure).name}>
      <TableHead>
        <tr>
          <TableHeader className="pl-5">{t("what")}</TableHeader>
          <TableHeader isNumeric className="pr-5">
            {t("amount")}
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {rows.map(({ id, type, at, amount, chargeId, installment }) => {
          const what = words.row(type);
          const said = installment === null ? what : t("installment", { what, number: installment });
          return (
            <TableRow key={id} className="relative">
              <TableCell className="py-2 pl-5">
                {chargeId === null ? (
                  <span className="block font-medium">{said}</span>
                ) : (
                  <Link
                    href={`/dashboard/payments/${chargeId}`}
                    className="block font-medium underline decoration-line underline-offset-2 after:absolute after:inset-0 hover:decoration-current"
                  >
                    {said}
                  </Link>
                )}
                <span className="block text-ink-3 text-xs tabular-nums">
                  {format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })}
                </span>
              </TableCell>
              <TableCell isNumeric className="whitespace-nowrap py-2 pr-5">
                {money(amount)}
              </TableCell>
            </TableRow>
          );
        })}
        <TableRow className="bg-sunken font-semibold">
          <TableCell className="py-2.5 pl-5">{t("sum", { count: rowCount })}</TableCell>
          <TableCell isNumeric className="whitespace-nowrap py-2.5 pr-5">
            {money(value)}
          </TableCell>
        </TableRow>
      </TableBody>
    </Table>
  );
}
