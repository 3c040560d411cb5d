import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { PlanShown } from "@/app/(dashboard)/dashboard/flows/[id]/plan-shown";
import { flowWords, LIST } from "@/app/(dashboard)/dashboard/flows/words";
import type { FlowNames } from "@/components/flows/words";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formatCents } from "@/components/ui/money-format";
import { type Context, inSnapshot, now } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import type { FlowRow } from "@/lib/flows/queries";
import { type DecidedPayment, newestDecided, readOneDecided } from "@/lib/flows/replays/reading";
import { type Simulated, simulateFlow } from "@/lib/flows/simulate";
import { isUuid } from "@/lib/ids";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const RECENT = 5;
const RECENT_DAYS = 90;

interface TestCardProps {
  ctx: Context;
  flow: FlowRow;
  names: FlowNames;
  chargeId: string | undefined;
}

interface Tested {
  decided: DecidedPayment;
  simulated: Simulated;
}

/** "What would have happened to this one": a payment that was made, decided by this version. Nothing is written. */
export async function TestCard({ ctx, flow, names, chargeId }: TestCardProps) {
  const [words, format, locale] = await Promise.all([flowWords(), getFormatter(), getLocale()]);
  const t = await getTranslations("flows");
  const { recent, tested } = await inSnapshot(ctx, async (inside) => {
    const until = addSeconds(now(inside), 1);
    const window = { since: addSeconds(until, -RECENT_DAYS * DAY_SECONDS), until, most: RECENT };
    return {
      recent: await newestDecided(inside, flow, window),
      tested: chargeId ? await testedOf(inside, flow, chargeId) : undefined,
    };
  });
  const nameOf = (id: string) => names.providers[id] ?? t("otherProvider");
  const order = (ids: readonly string[]) => ids.map(nameOf).join(" → ");
  const path = `${LIST}/${flow.id}`;
  return (
    <Card id="test">
      <CardHeader title={t("testTitle")} description={t("testText")} />
      <form action={`${path}#test`} className="flex flex-wrap items-end gap-3 px-5 pt-4">
        <div className="min-w-0 flex-1 basis-72">
          <Field label={t("testId")}>
            {(control) => <Input {...control} name="payment" defaultValue={chargeId} autoComplete="off" />}
          </Field>
        </div>
        <Button type="submit">{t("testButton")}</Button>
      </form>
      {recent.length > 0 ? (
        <div className="px-5 pt-3 text-ink-2 text-sm">
          <p>{t("testRecent")}</p>
          <ul className="mt-1 flex flex-wrap gap-x-4">
            {recent.map(({ chargeId: id, facts, at }) => (
              <li key={id}>
                <Link
                  href={`${path}?payment=${id}#test`}
                  className="inline-block py-1 text-accent-ink underline underline-offset-2"
                >
                  {formatCents(facts.amount, facts.currency, locale)} ·{" "}
                  {format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <div className="pb-4">
        {chargeId && !tested ? (
          <p role="status" className="px-5 pt-4 text-ink text-sm">
            {t("testUnknown", { method: words.method(flow.paymentMethod) })}
          </p>
        ) : null}
        {tested ? (
          <PlanShown flow={flow} names={names} simulated={tested.simulated}>
            <p className="text-ink-2">
              {tested.simulated.decision.providers.join() === tested.decided.providers.join()
                ? t("testSame")
                : t("testOther", { providers: order(tested.decided.providers) })}
            </p>
            <p>
              <Link
                href={`/dashboard/payments/${tested.decided.chargeId}`}
                className="text-accent-ink underline underline-offset-2"
              >
                {t("testOpen")}
              </Link>
            </p>
          </PlanShown>
        ) : null}
      </div>
    </Card>
  );
}

async function testedOf(ctx: Context, flow: FlowRow, chargeId: string): Promise<Tested | undefined> {
  const decided = isUuid(chargeId) ? await readOneDecided(ctx, chargeId) : undefined;
  if (!decided || decided.facts.method !== flow.paymentMethod) return undefined;
  try {
    const simulated = await simulateFlow(ctx, { flowId: flow.id, flow: undefined, facts: undefined, chargeId });
    return { decided, simulated };
  } catch (thrown) {
    if (thrown instanceof RequestError) return undefined;
    throw thrown;
  }
}
