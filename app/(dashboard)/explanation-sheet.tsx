import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { explanationWords } from "@/app/(dashboard)/explanation-words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { isUnnamedDefault } from "@/app/(dashboard)/plan-names";
import { ActionDialog } from "@/components/charges/action-dialog";
import { classes } from "@/components/ui/classes";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Context } from "@/lib/context";
import { type Behind, behind } from "@/lib/explanations/behind";
import { FIGURES, isFigureName, type SubjectName } from "@/lib/explanations/names";
import type { ExplanationBody } from "@/lib/explanations/schema";
import { explainForOperator, rightOf } from "@/lib/explanations/service";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const ROWS = 25;
/** Of an id, enough to tell two payments apart. */
const SHORT_ID = 13;

interface ExplanationSheetProps {
  ctx: Context;
  role: OperatorRole;
  /** The page's address: `why` names the figure, `from` the page of its rows, `point` a checkpoint further back. */
  path: string;
  given: GivenParameters;
  /** What figures of this page are of; each figure takes what concerns it. */
  subject: Partial<Record<SubjectName, string | undefined>>;
}

const CLOSED = {
  why: undefined,
  from: undefined,
  part: undefined,
  of: undefined,
  payment: undefined,
  point: undefined,
};

/** Why a figure is what it is: its rule, and for whoever may see them the rows that add up to it and what is behind. */
export async function ExplanationSheet({ ctx, role, path, given, subject }: ExplanationSheetProps) {
  const figure = oneOf(given, "why") ?? "";
  if (!isFigureName(figure)) return null;
  const point = oneOf(given, "point");
  const known: ExplanationSheetProps["subject"] = { checkpointId: point, ...subject };
  const names: readonly SubjectName[] = [...FIGURES[figure].subject, ...FIGURES[figure].optional];
  const about = Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  const asked = { figure, ...about, limit: ROWS, next: oneOf(given, "from") };
  const mayRead = may(role, rightOf(figure));
  const explanation = mayRead ? await explainForOperator(ctx, role, asked) : undefined;
  if (mayRead && !explanation) return null;
  const [t, words] = await Promise.all([getTranslations("explanations"), explanationWords()]);
  const { name, rule } = words.figure(figure);
  return (
    <ActionDialog title={name} text={rule} closeHref={withParameters(path, given, CLOSED)} shape="sheet">
      <div className="pt-4 pb-5">
        {explanation ? (
          <Rows
            explanation={explanation}
            behind={await behind(ctx, role, explanation)}
            role={role}
            hrefOfPoint={(id) => withParameters(path, given, { ...CLOSED, why: "balance.broughtForward", point: id })}
          />
        ) : null}
        {explanation && explanation.next !== null ? (
          <div className="flex justify-end px-5 pt-4">
            <LinkButton href={withParameters(path, given, { from: explanation.next })} scroll={false}>
              {t("more")}
            </LinkButton>
          </div>
        ) : null}
      </div>
    </ActionDialog>
  );
}

type Row = ExplanationBody["rows"][number];

interface RowsProps {
  explanation: ExplanationBody;
  behind: Behind;
  role: OperatorRole;
  hrefOfPoint: (id: string) => string;
}

/** The page that a row comes from, if this person may open one. */
function hrefOf({ type, chargeId, source }: Row, role: OperatorRole, hrefOfPoint: RowsProps["hrefOfPoint"]) {
  if (chargeId !== null) return may(role, "payments.see") ? `/dashboard/payments/${chargeId}` : undefined;
  if (source.type === "checkpoint") return hrefOfPoint(source.id);
  if (source.type === "seller") return may(role, "sellers.see") ? `/dashboard/sellers/${source.id}` : undefined;
  if (source.type === "subscription") return `/dashboard/subscriptions/${source.id}`;
  if (source.type === "batch" || type === "carried")
    return may(role, "payouts.see") ? `/dashboard/payouts/batches/${source.id}` : undefined;
  return undefined;
}

async function Rows({ explanation, behind: { plans, sellers, payments }, role, hrefOfPoint }: RowsProps) {
  const { figure, rows, value, currency, rowCount } = explanation;
  const [t, words, format, locale] = await Promise.all([
    getTranslations("explanations"),
    explanationWords(),
    getFormatter(),
    getLocale(),
  ]);
  if (rowCount === 0) return <p className="px-5 text-ink-2 text-sm">{t("empty")}</p>;
  const money = (cents: number) => formatCents(cents, currency, locale);
  const linksOf = ({ journalId, ruleId, requestId }: Row): ReactNode[] => {
    const plan = ruleId === null ? undefined : plans.get(ruleId);
    return [
      journalId !== null && may(role, "ledger.see") ? (
        <SmallLink key="journal" href={`/dashboard/finance/ledger/${journalId}`} text={t("journal")} />
      ) : null,
      plan ? (
        <SmallLink
          key="rule"
          href={`/dashboard/sellers/plans/${plan.id}`}
          text={isUnnamedDefault(plan) ? t("ruleDefault") : t("rule", { plan: plan.name })}
        />
      ) : null,
      requestId !== null && may(role, "requests.see") ? (
        <SmallLink
          key="request"
          href={`/dashboard/developers/requests?q=${encodeURIComponent(requestId)}`}
          text={t("request")}
        />
      ) : null,
    ].filter(Boolean);
  };
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
        {rows.map((row) => {
          const what = sellers.get(row.source.id) ?? words.row(row.type);
          const said = row.installment === null ? what : t("installment", { what, number: row.installment });
          const href = hrefOf(row, role, hrefOfPoint);
          const payment = row.chargeId === null ? undefined : payments.get(row.chargeId);
          const links = linksOf(row);
          return (
            <TableRow key={row.id}>
              <TableCell className="py-2 pl-5">
                {href === undefined ? (
                  <span className="block font-medium">{said}</span>
                ) : (
                  <TextLink href={href} className="block font-medium">
                    {said}
                  </TextLink>
                )}
                {row.chargeId !== null && payment ? (
                  <span className="flex flex-wrap gap-x-3 break-all text-ink-2 text-sm">
                    <span>
                      {payment.orderId
                        ? t("order", { order: payment.orderId })
                        : t("payment", { id: row.chargeId.slice(0, SHORT_ID) })}
                    </span>
                    {payment.buyer ? <span>{payment.buyer}</span> : null}
                  </span>
                ) : null}
                <span className="flex flex-wrap gap-x-3 text-ink-3 text-xs tabular-nums">
                  {format.dateTime(row.at, { dateStyle: "medium", timeStyle: "short" })}
                  {links}
                </span>
              </TableCell>
              <TableCell isNumeric className="whitespace-nowrap py-2 pr-5 align-top">
                {money(row.amount)}
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

const SmallLink = ({ href, text }: { href: string; text: string }) => (
  <TextLink href={href} className="text-ink-2">
    {text}
  </TextLink>
);

/** Tall enough for a finger, small enough for a line. */
function TextLink({ href, className, children }: { href: string; className: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className={classes(
        "min-h-6 rounded-sm underline decoration-line underline-offset-2 hover:decoration-current",
        className,
      )}
    >
      {children}
    </Link>
  );
}
