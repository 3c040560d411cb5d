import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import type { Books } from "@/lib/testing/providers/kit/books";
import type { FaultedKind } from "@/lib/testing/providers/kit/faulted";
import type { MockFault, MockServer } from "@/lib/testing/providers/kit/server";

const FAULTS: readonly (MockFault | "none")[] = [
  "none",
  "none",
  "none",
  "lost_after",
  "lost_before",
  "http_500",
  "http_500_after",
  "truncated",
  "doubled",
  "contradicting",
  "rate_limited",
];

/** A real kind and its stand-in; its provider is registered by the API, as a merchant does. */
export interface MockedKind {
  mock: MockServer & { books: Books };
  credentials(name: string): Record<string, string>;
  /** What the stand-in has told about the account so far, as our receiver gets it. */
  notifications(credentials: Record<string, string>): { headers: Headers; body: string }[];
}

export const faultedMock = ({ mock, credentials, notifications }: MockedKind): FaultedKind<MockFault> => ({
  faults: FAULTS,
  meet: (faultOf) => {
    mock.faultOf = faultOf;
  },
  async join(shop, isFirst) {
    const own = credentials(newId().replaceAll("-", ""));
    const { id } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
      body: { name: "Real kind", priority: isFirst ? 1 : 20, credentials: { ...own, environment: "test" } },
    });
    await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
    return async ({ copies = 1, only = () => true } = {}) => {
      for (const [index, { headers, body }] of notifications(own).entries()) {
        if (!only(index)) continue;
        for (let copy = 0; copy < copies; copy++) await receiveNotification(newId(), id, headers, Buffer.from(body));
      }
    };
  },
  approvals: (id) => mock.books.entries.filter(({ charge, held }) => charge === id && held > 0).length,
  get breaches() {
    return mock.breaches;
  },
});
