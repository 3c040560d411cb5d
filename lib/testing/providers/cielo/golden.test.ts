import { expect, test } from "vitest";
import { cieloProvider } from "@/lib/providers/cielo";
import { familyRequests } from "@/lib/testing/providers/cielo/golden";
import { readGolden } from "@/lib/testing/providers/kit/golden";

test("the requests are those of the file", async () => {
  const requests = await familyRequests("CIELO", cieloProvider);
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
