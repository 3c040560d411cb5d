import { z } from "zod";
import { uuid } from "@/lib/http/fields";

/** Whose sale it is, where the merchant sells for others. */
export const vendor = z.object({ id: uuid, paymentFacilitatorId: z.string().nullish() });
