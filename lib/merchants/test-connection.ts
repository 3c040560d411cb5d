import { and, eq } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { limitProviderTest } from "@/lib/http/rate-limit";
import { lockProvider } from "@/lib/merchants/queries";
import { type Probe, probe } from "@/lib/payments/probe";
import { providerById } from "@/lib/payments/routing/provider";
import { realNow } from "@/lib/time";

export interface ConnectionTest {
  /** Null where the kind has no call that would tell. */
  passed: boolean | null;
  /** What the provider answered, in its own word. */
  words: string;
}

const UNREACHED: ReadonlySet<string> = new Set(["not_sent", "undetermined", "unavailable"]);

/** Nothing came back that says anything of the credentials. */
export const isUnreached = (words: string): boolean => UNREACHED.has(words);

/** A real call with the stored credentials; what came back is kept beside the provider and in the audit log. */
export async function testConnection(ctx: Context, id: string): Promise<ConnectionTest> {
  const stored = await inTransaction(ctx, (inside) => lockProvider(inside, id));
  if (!stored) throw notFound("provider");
  if (!stored.routable) {
    throw new DomainError("provider_kind_not_available", "provider kind not available in this installation", {
      details: [stored.kind],
    });
  }
  await limitProviderTest(id);
  const { kind, words } = await probe(ctx, await inTransaction(ctx, (inside) => providerById(inside, id)));
  const passed = PASSED[kind];
  await inTransaction(ctx, async (inside) => {
    const testedAt = realNow();
    await inside.db
      .update(providers)
      .set({ testedAt, testPassed: passed, testWords: words })
      .where(and(eq(providers.clientId, inside.account.id), eq(providers.id, id)));
    await audit(inside, {
      action: "provider.test",
      object: "provider",
      objectId: id,
      before: { passed: stored.testPassed, words: stored.testWords },
      after: { passed, words },
    });
  });
  return { passed, words };
}

const PASSED: Readonly<Record<Probe["kind"], boolean | null>> = { passed: true, failed: false, untestable: null };
