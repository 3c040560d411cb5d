import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { LIST, namesIn } from "@/app/(dashboard)/dashboard/flows/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { FlowDifference } from "@/components/flows/flow-difference";
import { Card } from "@/components/ui/card";
import { inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { listVersions } from "@/lib/flows/family";
import { getFlow, rootOf, versionOf } from "@/lib/flows/queries";
import { isUuid } from "@/lib/ids";

interface ComparePageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const read = cache(async (id: string, wanted: string | undefined) => {
  const member = await requireRight(`${LIST}/${id}/compare`, "flows.see");
  return orNotFound(
    inSnapshot(member.ctx, async (inside) => {
      if (!isUuid(id)) throw notFound("flow");
      const one = await getFlow(inside, id);
      const versions = await listVersions(inside, one.familyId);
      const other = wanted
        ? versions.find((row) => row.id === wanted)
        : versions.find(({ major }) => major < one.major);
      if (wanted && !other) throw notFound("flow");
      const [older, newer] = [one, other ?? one].toSorted((a, b) => a.major - b.major);
      if (!older || !newer) throw notFound("flow");
      return { flow: one, before: older, after: newer, names: await namesIn(inside, older, newer) };
    }),
  );
});

export async function generateMetadata({ params, searchParams }: ComparePageProps): Promise<Metadata> {
  const [{ id }, given, t] = await Promise.all([params, searchParams, getTranslations("flows")]);
  const { flow, before, after } = await read(id, oneOf(given, "with"));
  return tabTitle(flow.name, t("compareTitle", { one: versionOf(before), other: versionOf(after) }));
}

/** The older version at the left, whichever was asked for first; without another one, the one before it. */
export default async function ComparePage({ params, searchParams }: ComparePageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const t = await getTranslations("flows");
  const { flow, before, after, names } = await read(id, oneOf(given, "with"));
  const title = t("compareTitle", { one: versionOf(before), other: versionOf(after) });
  return (
    <>
      <BackLink href={`${LIST}/${id}`} text={flow.name} />
      <PageHead title={title} />
      <Card className="overflow-hidden">
        <FlowDifference
          caption={title}
          before={{ title: t("versionOf", { version: versionOf(before) }), root: rootOf(before) }}
          after={{ title: t("versionOf", { version: versionOf(after) }), root: rootOf(after) }}
          names={names}
        />
      </Card>
    </>
  );
}
