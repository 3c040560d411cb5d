import { civilDayText, momentText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import { RECEIPT } from "@/lib/payment-documents/receipt-words";
import { A4, MARGIN, newSheet, type Sheet, type Spot } from "@/lib/payment-documents/sheet";
import { STATEMENT } from "@/lib/payment-documents/statement-words";
import { moneyText } from "@/lib/payment-documents/words";

type Sums = Readonly<Record<(typeof SUMS)[number], number>>;

export interface StatementOnPaper {
  /** Whose it is, and of which shop. */
  party: string;
  shop: string;
  month: string;
  issuedAt: Date;
  isSandbox: boolean;
  days: readonly (Sums & { day: string; settled: number })[];
  total: Sums & { settled: number; count: number };
  payouts: readonly { id: string; day: string; status: string; amount: number; href?: string | undefined }[];
  payoutCount: number;
  paidOut: number;
  others: readonly {
    id: string;
    day: string;
    type: keyof (typeof STATEMENT)["en"]["otherTypes"];
    amount: number;
    href?: string | undefined;
  }[];
  otherCount: number;
  otherTotal: number;
  rows: readonly {
    day: string;
    type: keyof (typeof STATEMENT)["en"]["types"];
    paymentId: string;
    installment: number | null;
    installments: number;
    gross: number;
    fees: number;
    net: number;
    /** The payment's page, for whoever may open it. */
    href?: string | undefined;
  }[];
}

const SUMS = ["sales", "fees", "early", "refunds", "chargebacks", "net"] as const;
const RIGHT = A4.width - MARGIN;
const WIDTH = RIGHT - MARGIN;
const FIRST_COLUMN = 84;
const COLUMN = (WIDTH - FIRST_COLUMN) / SUMS.length;
const LINE = 15;
const BOTTOM = A4.height - 60;
const SMALL = 8.5;

/** Month by day, then every entry: each line of the first part is a link to its rows in the second. */
export async function statementPdf(view: StatementOnPaper, locale: Locale): Promise<Uint8Array> {
  const words = STATEMENT[locale];
  const month = monthText(locale, view.month);
  const sheet = await newSheet({ title: `${words.title(month)} - ${view.party}`, locale, at: view.issuedAt });
  const pen = penOn(sheet, words.page);
  const money = (cents: number) => moneyText(locale, cents);
  sheet.text(view.shop, MARGIN, 60, { size: 12, isMuted: true, width: WIDTH });
  sheet.text(words.title(month), MARGIN, 86, { size: 18, isBold: true });
  sheet.text(view.party, MARGIN, 106, { size: 11, width: WIDTH });
  sheet.text(money(view.total.net + view.otherTotal), MARGIN, 142, { size: 26, isBold: true, width: WIDTH });
  if (view.isSandbox) sheet.text(RECEIPT[locale].simulated, RIGHT, 60, { size: 10, isBold: true, align: "right" });
  sheet.text(`${words.settled}: ${money(view.total.settled + view.otherTotal)}`, MARGIN, 162, {
    size: 9.5,
    isMuted: true,
  });
  const waits = view.total.net - view.total.settled;
  if (waits !== 0) sheet.text(`${words.expected}: ${money(waits)}`, MARGIN, 176, { size: 9.5, isMuted: true });
  sheet.text(words.issued(momentText(locale, view.issuedAt)), RIGHT, 162, { size: 9.5, isMuted: true, align: "right" });
  sheet.line(MARGIN, 188, RIGHT, 188);
  pen.y = 192;

  const from = new Map<string, Spot>();
  const figures = (sums: Sums, isBold = false) =>
    SUMS.forEach((name, index) => {
      const x = MARGIN + FIRST_COLUMN + COLUMN * (index + 1);
      sheet.text(money(sums[name]), x, pen.y, { size: SMALL, align: "right", width: COLUMN - 4, isBold });
    });
  pen.down();
  sheet.text(words.day, MARGIN, pen.y, { size: SMALL, isMuted: true });
  SUMS.forEach((name, index) => {
    sheet.text(words[name], MARGIN + FIRST_COLUMN + COLUMN * (index + 1), pen.y, {
      size: SMALL,
      isMuted: true,
      align: "right",
      width: COLUMN - 4,
    });
  });
  for (const day of view.days) {
    pen.down();
    sheet.text(civilDayText(locale, day.day), MARGIN, pen.y, { size: SMALL, isBold: true, width: FIRST_COLUMN });
    figures(day);
    from.set(day.day, sheet.spot(pen.y));
  }
  if (view.days.length === 0) {
    pen.down();
    sheet.text(words.none, MARGIN, pen.y, { size: SMALL, isMuted: true });
  }
  pen.down();
  sheet.line(MARGIN, pen.y - 10, RIGHT, pen.y - 10);
  sheet.text(words.total, MARGIN, pen.y, { size: SMALL, isBold: true });
  figures(view.total, true);

  if (view.otherCount > 0) othersOn(sheet, pen, view, locale);
  payoutsOn(sheet, pen, view, locale);
  pen.down();
  const isLinked = view.rows.some(({ href }) => href);
  const how = isLinked ? words.how : words.howPlain;
  sheet.paragraph(how, MARGIN, pen.y + 4, { size: SMALL, isMuted: true, width: WIDTH, mostLines: 2 });

  if (view.rows.length > 0) pen.nextPage();
  let on = "";
  for (const row of view.rows) {
    if (row.day !== on) {
      pen.heading(`${words.rows}: ${civilDayText(locale, row.day)}`);
      const spot = from.get(row.day);
      if (spot) sheet.link(spot, MARGIN, WIDTH, sheet.spot(pen.y));
      on = row.day;
    }
    pen.down();
    const part =
      row.installment !== null && row.installments > 1
        ? `, ${words.installment(row.installment, row.installments)}`
        : "";
    sheet.text(`${words.types[row.type]}${part}`, MARGIN, pen.y, { size: SMALL, width: 150 });
    sheet.text(row.paymentId, MARGIN + 154, pen.y, { size: 7.5, isMuted: true, width: 150 });
    [row.gross, row.fees, row.net].forEach((cents, index) => {
      sheet.text(money(cents), RIGHT - 4 - 68 * (2 - index), pen.y, { size: SMALL, align: "right", width: 66 });
    });
    if (row.href) sheet.link(sheet.spot(pen.y), MARGIN, WIDTH, row.href);
  }
  if (view.total.count > view.rows.length) {
    pen.down();
    // The report is for whoever may open pages.
    const more = isLinked ? words.more : words.morePlain;
    sheet.text(more(view.rows.length, view.total.count), MARGIN, pen.y, { size: SMALL, isMuted: true });
  }
  return sheet.bytes();
}

type Pen = ReturnType<typeof penOn>;

/** What moved without a sale, and what the month comes to with it. */
function othersOn(sheet: Sheet, pen: Pen, view: StatementOnPaper, locale: Locale): void {
  const words = STATEMENT[locale];
  pen.heading(words.others);
  for (const { day, type, amount, href } of view.others)
    entryOn(sheet, pen, {
      day: civilDayText(locale, day),
      what: words.otherTypes[type],
      money: moneyText(locale, amount),
      href,
    });
  noteOn(sheet, pen, view.otherCount > view.others.length && words.moreOthers(view.others.length, view.otherCount));
  sumOn(sheet, pen, words.total, moneyText(locale, view.otherTotal));
  sumOn(sheet, pen, words.balance, moneyText(locale, view.total.net + view.otherTotal));
}

function payoutsOn(sheet: Sheet, pen: Pen, view: StatementOnPaper, locale: Locale): void {
  const words = STATEMENT[locale];
  pen.heading(words.payouts);
  for (const { id, day, status, amount, href } of view.payouts) {
    const said = status === "paid" ? words.paid : status === "offset" ? words.carried : words.pending;
    const what = `${said}  ${id}`;
    entryOn(sheet, pen, { day: civilDayText(locale, day), what, money: moneyText(locale, amount), href });
  }
  noteOn(
    sheet,
    pen,
    view.payoutCount > view.payouts.length && words.morePayouts(view.payouts.length, view.payoutCount),
  );
  if (view.payouts.length === 0) noteOn(sheet, pen, words.noPayouts);
  else sumOn(sheet, pen, `${words.total} (${words.paid})`, moneyText(locale, view.paidOut));
}

interface Entry {
  day: string;
  what: string;
  money: string;
  href: string | undefined;
}

function entryOn(sheet: Sheet, pen: Pen, { day, what, money, href }: Entry): void {
  pen.down();
  sheet.text(day, MARGIN, pen.y, { size: SMALL, isBold: true, width: FIRST_COLUMN });
  sheet.text(what, MARGIN + FIRST_COLUMN, pen.y, { size: SMALL, isMuted: true });
  sheet.text(money, RIGHT - 4, pen.y, { size: SMALL, align: "right" });
  if (href) sheet.link(sheet.spot(pen.y), MARGIN, WIDTH, href);
}

function noteOn(sheet: Sheet, pen: Pen, text: string | false): void {
  if (text === false) return;
  pen.down();
  sheet.text(text, MARGIN, pen.y, { size: SMALL, isMuted: true });
}

function sumOn(sheet: Sheet, pen: Pen, name: string, money: string): void {
  pen.down();
  sheet.text(name, MARGIN, pen.y, { size: SMALL, isBold: true });
  sheet.text(money, RIGHT - 4, pen.y, { size: SMALL, align: "right", isBold: true });
}

/** Goes down line by line, and over to the next page at the end of one. */
function penOn(sheet: Sheet, page: (number: number) => string) {
  let number = 1;
  const pen = {
    y: 0,
    nextPage() {
      sheet.nextPage();
      number += 1;
      sheet.text(page(number), RIGHT, 36, { size: SMALL, isMuted: true, align: "right" });
      pen.y = 46;
    },
    down() {
      pen.y += LINE;
      if (pen.y > BOTTOM) {
        pen.nextPage();
        pen.y += LINE;
      }
    },
    heading(text: string) {
      if (pen.y + LINE * 3 > BOTTOM) pen.nextPage();
      pen.y += LINE * 2;
      sheet.text(text, MARGIN, pen.y, { size: 10, isBold: true });
    },
  };
  return pen;
}

const monthText = (locale: Locale, month: string): string =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
