import { newId } from "@/lib/ids";
import { THREE_DS } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import type { TestClient } from "@/lib/testing/api";
import { kindOfSegment } from "@/lib/testing/fuzz/kinds";
import {
  boundCustomerPlace,
  CARD,
  card,
  charge,
  customer,
  cyclePlace,
  deliveryPlace,
  feeRulePlace,
  flowPlace,
  type Kind,
  MAKERS,
  made,
  type Place,
  type PlaceMaker,
  pausedPlace,
  receivablePlace,
  refundDocumentPlace,
  replayPlace,
  reportPlace,
  reviewPlace,
  sellerPlace,
  sellerQueryPlace,
  sessionPlace,
} from "@/lib/testing/fuzz/world";
import { aPicture, documentForm } from "@/lib/testing/sellers";

const at =
  (parameter: string, kind: Kind): PlaceMaker =>
  async (client) => ({ params: { [parameter]: await MAKERS[kind](client) } });

const refundedPlace: PlaceMaker = async (client) => ({
  params: (({ id = "" }) => ({ id }))((await refundDocumentPlace(client)).params),
});

/** A charge that waits for its buyer at the issuer, and the ticket that says the buyer was there. */
const challenged: PlaceMaker = async (client) => {
  const pay = charge({
    threeDSecure2: THREE_DS,
    paymentSource: { sourceType: "card", card: { ...CARD, cardNumber: sandboxPan("3ds_challenge_ok") } },
  });
  const id = await pay(client);
  const { threeDSecure2 } = await client.make<Challenged>("GET", `/v1/charges/${id}`);
  const { searchParams } = new URL(threeDSecure2.authData.response.termUrl);
  return { params: { id }, query: { ticket: searchParams.get("ticket") ?? "" } };
};
interface Challenged {
  threeDSecure2: { authData: { response: { termUrl: string } } };
}

/** The account's default look is there. */
const settingsPlace: PlaceMaker = async (client) => {
  await client.make("POST", "/v1/settings", { body: { mainColor: "#1B4DFF" } });
  return { params: {} };
};

/** Where a route needs more of its objects than that they exist. */
const PLACES: Readonly<Record<string, PlaceMaker>> = {
  "GET /v1/charges/{id}/qrcode": at("id", "pixCharge"),
  "GET /v1/charges/{id}/barcode": at("id", "boletoCharge"),
  "GET /v1/charges/{id}/3ds/return": challenged,
  "POST /v1/charges/{id}/3ds/return": challenged,
  "POST /v1/charges/{id}/capture": at("id", "heldCharge"),
  "PATCH /v1/charges/{id}/antifraud": at("id", "analysedCharge"),
  "POST /v1/charges/{id}/refund-documents": refundedPlace,
  "GET /v1/charges/{id}/refund-documents": refundedPlace,
  "GET /v1/charges/{id}/refund-documents/{documentId}": refundDocumentPlace,
  "POST /v1/sandbox/pix/{txid}/med": at("txid", "paidPixCharge"),
  "POST /v1/sandbox/charges/{id}/chargeback/reverse": at("id", "disputedCharge"),
  "DELETE /v1/customers/{customer_id}/cards/{cardId}": async (client) => {
    const [customerId, cardId] = [await customer(client), await card(client)];
    await client.make("POST", `/v1/customers/${customerId}/cards`, { body: { cardId } });
    return { params: { customer_id: customerId, cardId } };
  },
  "DELETE /v1/merchants/{merchantId}/platform-fee/{platformFeeId}": feeRulePlace,
  "GET /v1/providers/{id}/notifications/{rest}": async () => ({ params: { id: newId(), rest: "pix" } }),
  "DELETE /v1/sellers/{id}": sellerPlace,
  "POST /v1/sellers/documents": async () => ({ params: {}, form: documentForm(aPicture()) }),
  "PATCH /v1/sellers": sellerQueryPlace,
  "DELETE /v1/sellers": sellerQueryPlace,
  "POST /v1/sellers/{id}/registration-reviews": async (client) => ({
    params: (({ id = "" }) => ({ id }))((await reviewPlace(client)).params),
  }),
  "GET /v1/sellers/{id}/registration-reviews/{reviewId}": reviewPlace,
  "POST /v1/sellers/{id}/registration-reviews/{reviewId}/submit": reviewPlace,
  "POST /v1/flows": async (client) => ({ ...(await flowPlace(client)), params: {} }),
  "POST /v1/flows/{id}/restore": flowPlace,
  "GET /v1/flows/{id}/replays/{replayId}": replayPlace,
  "DELETE /v1/flows/{id}/replays/{replayId}": replayPlace,
  "GET /v1/subscriptions/{id}/cycles/{cycleId}": cyclePlace,
  "POST /v1/subscriptions/{id}/cycles/{cycleId}/retry": cyclePlace,
  "PATCH /v1/subscriptions/{id}/resume": pausedPlace,
  "POST /v1/subscriptions/{id}/resume": pausedPlace,
  "GET /v1/subscriptions/settings": async (client) => {
    await client.make("PATCH", "/v1/subscriptions/settings", { body: { cancelAfterAllRetries: false } });
    return { params: {} };
  },
  "GET /v1/subacquirer/prepayment/receivables": receivablePlace,
  "POST /v1/subacquirer/prepayment": receivablePlace,
  "GET /v1/reports/{id}/files.zip": reportPlace,
  "GET /v1/reports/{id}/manifest": reportPlace,
  "GET /v1/reports/{id}/files/{pageNumber}": async (client) => {
    const { params } = await reportPlace(client);
    return { params: { ...params, pageNumber: "1" } };
  },
  "GET /v1/settings": settingsPlace,
  "PATCH /v1/settings": settingsPlace,
  "POST /v1/sessions/tokens": sessionPlace,
  "POST /v1/sessions/cards": sessionPlace,
  "POST /v1/sessions/customers": sessionPlace,
  "GET /v1/sessions/customers/{id}": boundCustomerPlace,
  "GET /v1/sessions/customers/{id}/cards": boundCustomerPlace,
  "POST /v1/sessions/customers/{id}/cards": boundCustomerPlace,
  "POST /v1/webhooks/{id}/deliveries/{deliveryId}/resend": deliveryPlace,
  "POST /v1/webhooks/{id}/listen": async (client) => ({
    params: { id: await made(client, "/v1/webhooks", { event: "*", endpoint: `listener:l-${newId()}` }) },
  }),
};

/**
 * Objects for every parameter of a path, in a state in which the route succeeds. A kind that cannot be made here yet
 * gets an id that nobody has: the examples' and the tenants' tests say so, the others go on.
 */
export async function placeFor(client: TestClient, { method, path }: { method: string; path: string }): Promise<Place> {
  const known = PLACES[`${method} ${path}`];
  if (known) return known(client);
  const params: Record<string, string> = {};
  for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const kind = kindOfSegment(path, name);
    params[name] = kind ? await MAKERS[kind](client) : newId();
  }
  return { params };
}
