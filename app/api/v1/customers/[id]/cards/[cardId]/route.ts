import { endpoint } from "@/app/api/endpoint";
import { unlinkCard } from "@/lib/cards/links";
import { linkParams } from "@/lib/cards/schema";

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/customers/{customer_id}/cards/{cardId}",
  tag: "Customers",
  summary: "Unlink a card from a customer",
  description: "The card stays, without its customer.",
  access: "secret",
  params: linkParams,
  reply: "empty",
  status: 204,
  handle: (ctx, { params }) => unlinkCard(ctx, params.customer_id, params.cardId),
});
