import { randomUUID } from "node:crypto";
import { composeBoleto } from "@/lib/brazil/boleto";
import type { Brand } from "@/lib/brazil/card-brand";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import { signatureOf } from "@/lib/providers/adyen/webhook";
import { notificationItem } from "@/lib/providers/adyen/wire";
import type { Entry, Told } from "@/lib/testing/providers/kit/books";

/** Adyen's objects, as its documents have them. */

type Members = Record<string, unknown>;

/** What a stand-in of Adyen keeps of a payment besides the books. */
export interface Kept {
  hasCvv?: boolean;
  dueOn?: string;
  /** Of a payment at its challenge: the card that it goes on with. */
  card?: { name: string; brand: string };
  wasNotAuthenticated?: boolean;
  /** Of a payment at the steps of a bank that our own pages carry out. */
  native?: { step: "fingerprint" | "challenge"; notificationURL: string };
  /** Of a payment that its buyer, or its network, stands for; absent where nobody was asked. */
  shift?: boolean;
}
export const keptOf = (entry: Entry): Kept => entry.kept as Kept; // Guarantee: the stand-in enters nothing else.

export const newPsp = (): string => randomUUID().replaceAll("-", "").slice(0, 16).toUpperCase();

const VARIANT: Partial<Record<Brand, string>> = { mastercard: "mc" };
const variantOf = ({ method, brand }: Entry): string =>
  method === "pix" ? "pix" : method === "boleto" ? "boletobancario_santander" : (VARIANT[brand] ?? brand);

const amountOf = (value: number, currency = "BRL") => ({ currency, value });

/** Its number and its words for a refusal, with the network's where the account passes them on. */
function refusalOf(entry: Entry) {
  if (keptOf(entry).wasNotAuthenticated) return { code: "11", words: "3D Not Authenticated", more: {} };
  const { networkCode, adviceCode } = entry.decline ?? { networkCode: "05" };
  return {
    code: "2",
    words: "Refused",
    more: {
      refusalReasonRaw: `${networkCode} : Refused by the issuer`,
      ...(adviceCode ? { merchantAdviceCode: `${adviceCode} : Try again later` } : {}),
    },
  };
}

/** The answer to a payment. */
export function paymentOf(entry: Entry): Members {
  const known = { pspReference: entry.id, merchantReference: entry.reference };
  const method = { paymentMethod: { type: "scheme", brand: variantOf(entry) } };
  switch (entry.state) {
    case "challenge":
      if (keptOf(entry).native) return nativeOf(entry);
      return {
        resultCode: "RedirectShopper",
        action: {
          type: "redirect",
          paymentMethodType: "scheme",
          method: "GET",
          url: `https://checkoutshopper.example/threeDS/redirect?payment=${entry.id}`,
        },
      };
    case "declined": {
      const { code, words, more } = refusalOf(entry);
      return {
        ...known,
        ...method,
        resultCode: "Refused",
        refusalReason: words,
        refusalReasonCode: code,
        additionalData: more,
      };
    }
    case "pending":
      return entry.method === "credit" ? { ...known, resultCode: "Received" } : { ...known, ...openOf(entry) };
    default:
      return {
        ...known,
        ...method,
        resultCode: "Authorised",
        amount: amountOf(entry.held, entry.currency),
        additionalData: {
          authCode: entry.id.slice(-6),
          cvcResult: keptOf(entry).hasCvv ? "1 Matches" : "0 Unknown",
          networkTxReference: `ntx${entry.id}`,
          refusalReasonRaw: "AUTHORISED",
          ...shiftOf(entry),
        },
      };
  }
}

export const ACS = "https://acs.example";
/** A holder by this name has a bank without a hidden page; one by the second is never asked. */
export const NO_DEVICE_PAGE = "no_device_page";
export const FRICTIONLESS = "frictionless";

const tokenOf = (value: Members): string => Buffer.from(JSON.stringify(value)).toString("base64");

/** The step that a bank is at, as the web component is told of it. */
function nativeOf(entry: Entry): Members {
  const { native, card } = keptOf(entry);
  const ids = { threeDSServerTransID: `server-${entry.id}` };
  const isFirst = native?.step === "fingerprint";
  const token = isFirst
    ? {
        ...ids,
        threeDSMethodNotificationURL: "https://checkoutshopper.example/threeDSMethodNotification.shtml",
        ...(card?.name === NO_DEVICE_PAGE ? {} : { threeDSMethodUrl: `${ACS}/device` }),
      }
    : {
        ...ids,
        acsTransID: `acs-${entry.id}`,
        acsURL: `${ACS}/challenge`,
        messageVersion: "2.2.0",
        threeDSNotificationURL: native?.notificationURL,
      };
  return {
    resultCode: isFirst ? "IdentifyShopper" : "ChallengeShopper",
    action: {
      type: "threeDS2",
      subtype: native?.step,
      paymentMethodType: "scheme",
      token: tokenOf(token),
      authorisationToken: `auth_${entry.id}`,
      ...(isFirst ? { paymentData: `data_${entry.id}` } : {}),
    },
  };
}

/** What a bank posts to us at the end of its challenge, of what it was asked. */
export function cresOf(creq: string, transStatus: string): string {
  const asked: unknown = JSON.parse(Buffer.from(creq, "base64url").toString("utf8"));
  const { challengeWindowSize: _size, ...ids } = asked as Members; // Made by the adapter.
  const answer = { ...ids, messageType: "CRes", challengeCompletionInd: "Y", transStatus };
  return Buffer.from(JSON.stringify(answer)).toString("base64url");
}

const shiftOf = (entry: Entry): Members => {
  const { shift } = keptOf(entry);
  return shift === undefined ? {} : { liabilityShift: String(shift), eci: shift ? "05" : "07" };
};

function openOf(entry: Entry): Members {
  const amount = entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;
  if (entry.method === "pix") {
    const qrCodeData = dynamicPixCode({
      url: `pix.adyen.example/qr/v2/${entry.id}`,
      amount,
      merchantName: "Loja",
      merchantCity: "Sao Paulo",
    });
    const expiresAt = entry.expiresAt?.toISOString();
    return { resultCode: "Pending", action: { type: "qrCode", paymentMethodType: "pix", qrCodeData, expiresAt } };
  }
  const { line } = composeBoleto({ bank: "033", dueOn: keptOf(entry).dueOn ?? "", amount, freeField: "0".repeat(25) });
  return {
    resultCode: "PresentToShopper",
    action: {
      type: "voucher",
      paymentMethodType: "boletobancario_santander",
      reference: line,
      expiresAt: `${keptOf(entry).dueOn}T23:59:00`,
      downloadUrl: `https://test.adyen.example/hpp/generationBoleto.shtml?data=${entry.id}`,
      initialAmount: amountOf(amount),
      totalAmount: amountOf(amount),
    },
  };
}

/** In the network's code, as Adyen has it. */
export const DISPUTE_REASON = "10.4";

/** One thing that is told; `psp` is the number of what was asked. */
export interface Item {
  eventCode: string;
  psp: string;
  success?: boolean;
  reason?: string;
  more?: Members;
}

export function itemOf(
  { eventCode, psp, success = true, reason, more = {} }: Item,
  about: { account: string; paymentPsp: string; reference: string; amount: number; at: Date; variant?: string },
): Members {
  return {
    eventCode,
    pspReference: psp,
    ...(psp === about.paymentPsp ? {} : { originalReference: about.paymentPsp }),
    merchantAccountCode: about.account,
    merchantReference: about.reference,
    amount: amountOf(about.amount),
    success: String(success),
    eventDate: about.at.toISOString(),
    paymentMethod: about.variant ?? "visa",
    ...(reason ? { reason } : {}),
    additionalData: more,
  };
}

export const notificationOf = (...items: Members[]): Members => ({
  live: "false",
  notificationItems: items.map((item) => ({ NotificationRequestItem: item })),
});

/** The same, each item signed by the key of its account. */
export function signedText(text: string, hexKey: string): string {
  const body = JSON.parse(text) as { notificationItems: { NotificationRequestItem?: Members }[] }; // Made above.
  for (const wrapper of body.notificationItems) {
    const parsed = notificationItem.safeParse(wrapper);
    if (!parsed.success) continue;
    const item = wrapper.NotificationRequestItem ?? {};
    item.additionalData = {
      ...(item.additionalData as Members), // One of the same file.
      hmacSignature: signatureOf(hexKey, parsed.data),
    };
  }
  return JSON.stringify(body);
}

/** What Adyen tells of something that happened; `change` is the number of the change that made it happen. */
export function itemsOf(told: Told, change: string): Item[] {
  const { entry, happening, refund } = told;
  const psp = entry.id;
  switch (happening) {
    case "authorized":
      return [
        {
          eventCode: "AUTHORISATION",
          psp,
          reason: "033899:0002:12/2031",
          more: { authCode: psp.slice(-6), ...shiftOf(entry) },
        },
        ...(entry.capture ? [{ eventCode: "CAPTURE", psp: newPsp() }] : []),
      ];
    case "declined": {
      const { words, more } = refusalOf(entry);
      return [{ eventCode: "AUTHORISATION", psp, success: false, reason: words, more }];
    }
    case "captured":
      return [{ eventCode: "CAPTURE", psp: change }];
    case "capture_failed":
      // First it was taken, later the acquirer refused it.
      return [
        { eventCode: "CAPTURE", psp: change },
        { eventCode: "CAPTURE_FAILED", psp: change, reason: "Capture Failed" },
      ];
    case "canceled":
      return [{ eventCode: "CANCELLATION", psp: change }];
    case "cancel_failed":
      return [{ eventCode: "CANCELLATION", psp: change, success: false, reason: "Transaction hit by a dispute" }];
    case "expired":
      return [{ eventCode: entry.method === "credit" ? "EXPIRE" : "OFFER_CLOSED", psp }];
    case "paid":
      return [{ eventCode: "AUTHORISATION", psp }];
    case "refund_done":
      return [{ eventCode: "REFUND", psp: refund?.id ?? change }];
    case "refund_failed":
      return [{ eventCode: "REFUND_FAILED", psp: refund?.id ?? change, reason: "Card account closed" }];
    case "disputed":
      return [{ eventCode: "CHARGEBACK", psp: newPsp(), more: { chargebackReasonCode: DISPUTE_REASON } }];
    case "dispute_won":
      return [{ eventCode: "CHARGEBACK_REVERSED", psp: newPsp() }];
    default:
      return [];
  }
}

export const aboutOf = ({ entry, reference, amount, at }: Told) => ({
  account: entry.account,
  paymentPsp: entry.id,
  reference,
  amount,
  at,
  variant: variantOf(entry),
});
