import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { sellersToShare } from "@/lib/sellers/operator-queries";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

test("who shares a link is among the choices, however many sellers come before by name", async () => {
  const { client, merchant } = await withMerchant(await openClient());
  const [last = ""] = await openSellers(client, merchant.id, 1);
  await systemSql()`update sellers set owner_name = 'Zuleica' where id = ${last}`;
  await systemSql()`
    insert into sellers
    select copy.* from sellers s cross join generate_series(1, 205) n
     cross join lateral jsonb_populate_record(s, jsonb_build_object(
       'id', gen_random_uuid(), 'document_key', 'copy ' || n, 'owner_name', 'Ana ' || n)) copy
     where s.id = ${last}`;
  const chosen = await sellersToShare(await client.context(), "owner", { merchantId: merchant.id, also: [last] });
  expect(chosen.map(({ id }) => id)).toContain(last);
});
