import { getTranslations } from "next-intl/server";
import type { PreviewChoices, PreviewTexts } from "@/components/settings/checkout-preview";
import { OPEN_STATES, type OpenState } from "@/lib/checkout/samples";
import { CLOSED_STATES, type ClosedState, PAYMENT_STATES, type PaymentState } from "@/lib/checkout/view";

const OPEN_TEXTS = {
  pix: "openPix",
  card: "openCard",
  cards: "openCards",
  boleto: "openBoleto",
  declined: "openDeclined",
  fields: "openFields",
  paused: "openPaused",
} as const satisfies Record<OpenState, string>;

const CLOSED_TEXTS = {
  in_use: "closedInUse",
  paid: "closedPaid",
  paid_here: "closedPaidHere",
  limit: "closedLimit",
  expired: "closedExpired",
  off: "closedOff",
  canceled: "closedCanceled",
  voided: "closedVoided",
  no_method: "closedNoMethod",
  no_boleto: "closedNoBoleto",
  unknown: "closedUnknown",
  error: "closedError",
} as const satisfies Record<ClosedState, string>;

const PAYMENT_TEXTS = {
  processing: "payProcessing",
  authenticate: "payAuthenticate",
  confirming: "payConfirming",
  pix: "payPix",
  pixExpired: "payPixExpired",
  pixLate: "payPixLate",
  boleto: "payBoleto",
  boletoOverdue: "payBoletoOverdue",
  boletoClosed: "payBoletoClosed",
  wallet: "payWallet",
  walletExpired: "payWalletExpired",
  canceled: "payCanceled",
  declined: "payDeclined",
  running: "payRunning",
  released: "payReleased",
  authorised: "payAuthorised",
  paid: "payPaid",
  review: "payReview",
  refunding: "payRefunding",
  partlyRefunded: "payPartlyRefunded",
  started: "payStarted",
  mandate: "payMandate",
  mandateEnded: "payMandateEnded",
  refunded: "payRefunded",
  disputed: "payDisputed",
} as const satisfies Record<PaymentState, string>;

export async function previewTexts(): Promise<PreviewTexts> {
  const t = await getTranslations("preview");
  return {
    title: t("title"),
    note: t("note"),
    state: t("state"),
    device: t("device"),
    phone: t("phone"),
    desktop: t("desktop"),
    scheme: t("scheme"),
    language: t("language"),
  };
}

export async function previewChoices(): Promise<PreviewChoices> {
  const t = await getTranslations("preview");
  return {
    states: [
      {
        group: t("groupOpen"),
        states: OPEN_STATES.map((state) => ({ value: `open.${state}`, label: t(OPEN_TEXTS[state]) })),
      },
      {
        group: t("groupPayment"),
        states: PAYMENT_STATES.map((state) => ({ value: `payment.${state}`, label: t(PAYMENT_TEXTS[state]) })),
      },
      {
        group: t("groupClosed"),
        states: CLOSED_STATES.map((state) => ({ value: `closed.${state}`, label: t(CLOSED_TEXTS[state]) })),
      },
    ],
    schemes: [
      { value: "light", label: t("light") },
      { value: "dark", label: t("dark") },
      { value: "forced", label: t("forced") },
    ],
    languages: [
      { value: "pt-BR", label: t("portuguese") },
      { value: "en", label: t("english") },
    ],
  };
}
