import { secretOf } from "@/lib/providers/secret";
import type { CieloMock } from "@/lib/testing/providers/cielo/mock";
import type { Product } from "@/lib/testing/providers/cielo/objects";
import { withSecret } from "@/lib/testing/providers/cielo/rig";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock } from "@/lib/testing/providers/kit/faulted-mock";

const IN_SUITE = 8;

/** Payments over one of the family and the simulator. */
export const payFaultedFamily = (type: Product, mock: CieloMock): Promise<void> =>
  payFaulted(
    faultedMock({
      mock,
      credentials: (name) => ({
        type,
        merchantId: name,
        merchantKey: `key_of_${name}`,
        ...(type === "BRASPAG" ? { clientSecret: `client_of_${name}` } : {}),
        webhookSecret: `secret_of_${name}`,
      }),
      notifications: (credentials) =>
        mock.events
          .filter(({ account }) => account === `${credentials.merchantId} ${credentials.merchantKey}`)
          .map(({ body }) => ({ headers: withSecret(secretOf(credentials)), body: JSON.stringify(body) })),
    }),
    IN_SUITE,
  );
