import { z } from "zod";
import { endpoint } from "@/app/api/endpoint";
import { qrcodePicture } from "@/lib/charges/pictures";
import { pictureReply } from "@/lib/http/answering";
import { uuid } from "@/lib/http/fields";

export const GET = endpoint({
  method: "GET",
  path: "/v1/charges/{id}/qrcode",
  tag: "Charges",
  summary: "PNG of the Pix code",
  access: "none",
  params: z.object({ id: uuid }),
  reply: "raw",
  produces: "image/png",
  status: 200,
  handle: async (_, { params }) => pictureReply(await qrcodePicture(params.id)),
});
