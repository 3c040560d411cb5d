import { saoPauloWallTime } from "@/lib/brazil/bank-calendar";
import { composeBoleto } from "@/lib/brazil/boleto";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import type { Entry, Told } from "@/lib/testing/providers/kit/books";

/** The objects of Cielo and Braspag, as their references show them. */

export type Members = Record<string, unknown>;
export type Product = "CIELO" | "BRASPAG";

/** What their stand-in keeps of a payment besides the books. */
export interface Kept {
  product: Product;
  brand: string;
  provider: string;
  recurrent: boolean;
  dueOn?: string;
}
export const keptOf = (entry: Entry): Kept => entry.kept as unknown as Kept; // Guarantee: the stand-in enters nothing else.

export const isCard = ({ method }: Entry): boolean => method === "credit" || method === "debit";
const wall = (at: Date): string => saoPauloWallTime(at).replace("T", " ");
const returnedOf = ({ refunds }: Entry): number =>
  refunds.filter(({ status }) => status === "done").reduce((sum, { amount }) => sum + amount, 0);

function statusOf(entry: Entry): number {
  switch (entry.state) {
    case "created":
      return 0;
    case "held":
      return 1;
    case "declined":
      return 3;
    case "canceled":
      return 10;
    case "captured":
      return returnedOf(entry) >= entry.captured ? 11 : 2;
    // A hold that lapsed stays as it was, and so does a slip.
    case "expired":
      return entry.method === "pix" ? 12 : 1;
    default:
      return entry.method === "boleto" ? 1 : 12;
  }
}

export function saleOf(entry: Entry, isNew = false): Members {
  const { brand, product, recurrent } = keptOf(entry);
  return {
    MerchantOrderId: entry.reference,
    Customer: { Name: "Comprador" },
    Payment: {
      PaymentId: entry.id,
      Type: TYPES[entry.method],
      ...(product === "BRASPAG" ? { Provider: keptOf(entry).provider } : {}),
      Status: statusOf(entry),
      Amount: entry.held || entry.amount,
      Currency: entry.currency,
      Country: "BRA",
      ReceivedDate: wall(entry.createdAt),
      ...(isCard(entry) ? { Installments: entry.installments, Capture: entry.capture } : {}),
      ...(isCard(entry)
        ? { [TYPES[entry.method]]: { CardNumber: "455187******0183", Brand: brand, SaveCard: false } }
        : {}),
      ...(entry.held > 0 ? { ProofOfSale: entry.id.slice(-6), AuthorizationCode: entry.id.slice(0, 6) } : {}),
      ...(entry.held > 0 && recurrent ? { IssuerTransactionId: `5800${entry.id.replace(/\D/g, "").slice(0, 9)}` } : {}),
      ...codesOf(entry),
      ...(entry.captured > 0
        ? { CapturedAmount: entry.captured, CapturedDate: wall(entry.payments[0]?.at ?? entry.createdAt) }
        : {}),
      ...(returnedOf(entry) > 0
        ? { VoidedAmount: returnedOf(entry), VoidedDate: wall(entry.refunds.at(-1)?.at ?? entry.createdAt) }
        : {}),
      ...(product === "BRASPAG" && entry.refunds.length > 0 ? { Refunds: entry.refunds.map(refundOf) } : {}),
      ...(entry.chargedBack > 0 ? { Chargebacks: [disputeOf(entry)] } : {}),
      ...(entry.method === "pix" ? pixOf(entry, isNew) : {}),
      ...slipOf(entry),
      Links: [],
    },
  };
}

const TYPES = { credit: "CreditCard", debit: "DebitCard", pix: "Pix", boleto: "Boleto" } as const;
const REFUND_STATUS = { pending: 2, done: 3, failed: 4 } as const;

const refundOf = ({ amount, status, at }: Entry["refunds"][number], index: number): Members => ({
  Amount: amount,
  Status: REFUND_STATUS[status],
  ReceivedDate: wall(new Date(at.getTime() + index * 1_000)),
});

function codesOf(entry: Entry): Members {
  const { state, decline } = entry;
  const prefix = keptOf(entry).product === "BRASPAG" ? "Provider" : "";
  const said = (code: string, words: string) => ({ [`${prefix}ReturnCode`]: code, [`${prefix}ReturnMessage`]: words });
  if (state !== "declined" || !decline) return said("4", "Operation Successful");
  return {
    ...said(decline.networkCode, "Not Authorized"),
    ...(decline.adviceCode ? { MerchantAdviceCode: decline.adviceCode.replace(/^0/, "") } : {}),
  };
}

const shownAmount = (entry: Entry): number =>
  entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;

/** The code is shown once, to who makes it; later on its record has the payer's alone. */
function pixOf(entry: Entry, isNew: boolean): Members {
  const paid = entry.payments[0];
  if (!isNew) return paid ? { EndToEndId: `E${paid.id.replaceAll("-", "").slice(0, 31)}` } : {};
  return {
    QrCodeBase64Image: "",
    QrCodeString: dynamicPixCode({
      url: `qrcodes.cielo.example/pix-qr/${entry.id}`,
      merchantName: "Loja",
      merchantCity: "Sao Paulo",
      amount: shownAmount(entry),
    }),
  };
}

function slipOf(entry: Entry): Members {
  const { dueOn } = keptOf(entry);
  if (entry.method !== "boleto" || dueOn === undefined) return {};
  const slip = composeBoleto({ bank: "237", dueOn, amount: shownAmount(entry), freeField: "0".repeat(25) });
  return {
    DigitableLine: slip.line,
    BarCodeNumber: slip.barcode,
    Url: `https://transaction.cielo.example/${entry.id}`,
    BoletoNumber: "123-2",
    ExpirationDate: dueOn,
  };
}

const CHANGES: Partial<Record<Told["happening"], number>> = { refund_failed: 5, disputed: 7 };

/** A notification says which payment changed, and nothing of how. */
export const eventOf = ({ entry, happening }: Told): Members => eventWith(entry.id, CHANGES[happening] ?? 1);

export const eventWith = (PaymentId: string, ChangeType: number): Members => ({ PaymentId, ChangeType });

export const DISPUTE_REASON = "Outras fraudes - cartão ausente";

const disputeOf = ({ chargedBack }: Entry) => ({
  Amount: chargedBack,
  CaseNumber: "1",
  Date: "2026-11-24",
  ReasonCode: "104",
  ReasonMessage: DISPUTE_REASON,
  Status: "Received",
});
