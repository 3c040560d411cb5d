import { newId } from "@/lib/ids";
import type { MockReply } from "@/lib/testing/providers/kit/server";
import {
  type Asked,
  type Members,
  membersOf,
  type Route,
  refuse,
  textOf,
} from "@/lib/testing/providers/pagarme-v5/route";
import { addSeconds } from "@/lib/time";

/** How long a seller is examined. */
const REVIEW_SECONDS = 60;
export const REFUSED_DOCUMENT_ENDING = "59";
export const REFUSED_ACCOUNT = "9999999";

interface Seller {
  id: string;
  account: string;
  code: string;
  name: string;
  isRefused: boolean;
  at: Date;
  settings: Record<string, unknown>;
}

export interface SellerBooks {
  sellers: readonly Seller[];
  routes: Readonly<Record<string, Route>>;
}

export function openSellers(now: () => Date): SellerBooks {
  const sellers: Seller[] = [];
  const answer = (seller: Seller): MockReply => ({ status: 200, body: shown(seller, now()) });
  const find = ({ account, id }: Asked): Seller | undefined =>
    sellers.find((one) => one.account === account && (one.id === id || one.code === id));
  const own = (account: string): Seller => ({
    id: `re_own${account.slice(-8)}`,
    account,
    code: "",
    name: "Loja",
    isRefused: false,
    at: new Date(0),
    settings: {},
  });
  const known =
    (act: (seller: Seller, body: Members) => MockReply): Route =>
    (request) => {
      const seller = find(request);
      return seller ? act(seller, membersOf(request.body)) : refuse(404, "Recipient not found.");
    };
  const set = (name: string): Route =>
    known((seller, body) => {
      seller.settings[name] = body;
      return answer(seller);
    });
  return {
    sellers,
    routes: {
      "POST /recipients": ({ account, body }) => {
        const { code, register_information } = membersOf(body);
        const { name, company_name, document } = membersOf(register_information);
        const seller: Seller = {
          id: `re_${newId().replaceAll("-", "")}`,
          account,
          code: textOf(code),
          name: textOf(name) || textOf(company_name),
          isRefused: textOf(document).endsWith(REFUSED_DOCUMENT_ENDING),
          at: now(),
          settings: membersOf(body),
        };
        if (sellers.some((one) => one.account === account && one.code === seller.code)) {
          return refuse(412, "The code is already in use.");
        }
        sellers.push(seller);
        return answer(seller);
      },
      "GET /recipients": ({ account }) => {
        const data = sellers.filter((one) => one.account === account).slice(0, 1);
        return { status: 200, body: { data: data.map((one) => shown(one, now())), paging: { total: data.length } } };
      },
      "GET /recipients/id": (request) =>
        request.id === "default" ? answer(own(request.account)) : known((seller) => answer(seller))(request),
      "PATCH /recipients/id/default-bank-account": known((seller, body) => {
        if (membersOf(body.bank_account).account_number === REFUSED_ACCOUNT) {
          return {
            status: 422,
            body: { message: "The request is invalid.", errors: { "bank_account.account_number": ["invalid"] } },
          };
        }
        seller.settings.default_bank_account = body.bank_account;
        return answer(seller);
      }),
      "PATCH /recipients/id/transfer-settings": set("transfer_settings"),
      "PATCH /recipients/id/automatic-anticipation-settings": set("automatic_anticipation_settings"),
    },
  };
}

function shown(seller: Seller, now: Date): Members {
  const isOver = now >= addSeconds(seller.at, REVIEW_SECONDS);
  const status = isOver ? (seller.isRefused ? "refused" : "active") : "affiliation";
  const kyc = isOver ? (seller.isRefused ? "denied" : "approved") : "pending";
  return {
    id: seller.id,
    name: seller.name,
    code: seller.code || null,
    status,
    kyc_details: { status: kyc, status_reason: status === "refused" ? "invalid_document" : "ok" },
    created_at: seller.at.toISOString(),
    updated_at: seller.at.toISOString(),
  };
}
