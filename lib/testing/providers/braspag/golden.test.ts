import { expect, test } from "vitest";
import { braspagProvider } from "@/lib/providers/braspag";
import { familyRequests } from "@/lib/testing/providers/cielo/golden";
import { readGolden } from "@/lib/testing/providers/kit/golden";

test("the requests are those of the file", async () => {
  const requests = await familyRequests("BRASPAG", braspagProvider);
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
