import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { barcodePicture } from "@/lib/charges/pictures";
import { pictureReply } from "@/lib/http/answering";
import { uuid } from "@/lib/http/fields";

export const GET = endpoint({
  method: "GET",
  path: "/v1/charges/{id}/barcode",
  tag: "Charges",
  summary: "PNG of the boleto barcode",
  access: "none",
  params: z.object({ id: uuid }),
  reply: "raw",
  produces: "image/png",
  status: 200,
  handle: async (_, { params }) => pictureReply(await barcodePicture(params.id)),
});
