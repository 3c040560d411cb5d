import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { uuid } from "@/lib/http/fields";
import { getPurchase } from "@/lib/purchases/queries";
import { purchaseBody } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/purchases/{id}",
  tag: "Purchases",
  summary: "Read a purchase",
  access: "secret",
  envelope: "purchases",
  params: z.object({ id: uuid }),
  reply: purchaseBody,
  status: 200,
  errors: ["purchase_not_found"],
  handle: async (ctx, { params }) => serializePurchase(await getPurchase(ctx, params.id)),
});
