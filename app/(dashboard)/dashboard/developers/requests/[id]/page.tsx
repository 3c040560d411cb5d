import { ArrowLeft, ArrowRight } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { placeOf } from "@/app/(dashboard)/dashboard/developers/places";
import { lastedWords } from "@/app/(dashboard)/lasted";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { HttpStatus } from "@/components/dashboard/request-list";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { env } from "@/lib/env";
import { curlOf } from "@/lib/request-logs/curl";
import { getRequest, type LoggedRequest } from "@/lib/request-logs/queries";

const LIST = "/dashboard/developers/requests";

const KEY_TEXTS: Readonly<Record<string, "key_secret" | "key_public" | "key_session" | undefined>> = {
  secret: "key_secret",
  public: "key_public",
  session: "key_session",
};

interface RequestPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "requests.see");
  return { ...member, request: await orNotFound(getRequest(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: RequestPageProps): Promise<Metadata> {
  const [{ request }, t] = await Promise.all([read((await params).id), getTranslations("requests")]);
  return tabTitle(`${request.method} ${request.path}`, t("title"));
}

export default async function RequestPage({ params }: RequestPageProps) {
  const { id } = await params;
  const { ctx, request } = await read(id);
  const [t, format, lasted] = await Promise.all([getTranslations("requests"), getFormatter(), lastedWords()]);
  const place = madeBy(request);
  const keyText = KEY_TEXTS[request.keyKind];
  const code = (name: string, value: string | null): Fact[] =>
    value ? [{ name, value: <span className="break-all font-mono text-xs">{value}</span> }] : [];
  const isQueried =
    typeof request.query === "object" && request.query !== null && Object.keys(request.query).length > 0;
  return (
    <>
      <Link
        href={LIST}
        className="-ml-1 inline-flex min-h-6 items-center gap-1.5 rounded-sm px-1 text-ink-2 text-sm hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t("back")}
      </Link>
      <header className="mt-3 mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 font-mono font-semibold text-ink text-lg">
          <HttpStatus status={request.status} />
          <span className="break-all">
            <span className="mr-2 text-ink-2">{request.method}</span>
            {request.path}
          </span>
        </h1>
        <div className="flex flex-wrap gap-2">
          <LinkButton href={`${LIST}/compare?one=${request.id}`}>{t("compare")}</LinkButton>
          {request.idempotencyKey ? (
            <LinkButton href={`/dashboard/developers/idempotency?q=${encodeURIComponent(request.idempotencyKey)}`}>
              {t("openKey")}
            </LinkButton>
          ) : null}
          {place ? (
            <LinkButton href={place}>
              {place.startsWith("/dashboard/payments/") ? t("openPayment") : t("openObject")}
              <ArrowRight aria-hidden />
            </LinkButton>
          ) : null}
        </div>
      </header>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          {isQueried ? (
            <Body title={t("query")} value={request.query} copy={t("copyQuery")} none={t("bodyNone")} />
          ) : null}
          <Body title={t("requestBody")} value={request.requestBody} copy={t("copyRequest")} none={t("bodyNone")} />
          <Body title={t("responseBody")} value={request.responseBody} copy={t("copyResponse")} none={t("bodyNone")} />
          <section aria-labelledby="curl-title">
            <h2 id="curl-title" className="font-semibold text-base text-ink">
              {t("curlTitle")}
            </h2>
            <p className="mt-0.5 mb-3 text-ink-2 text-sm">{t("curlText")}</p>
            <CodeBlock title="bash" code={curlOf(request, env().BASE_URL, ctx.account.id)} copyLabel={t("curlCopy")} />
          </section>
        </div>
        <Card>
          <CardHeader title={t("factsTitle")} />
          <Facts
            facts={[
              {
                name: t("factDate"),
                value: (
                  <Moment
                    at={request.createdAt}
                    text={format.dateTime(request.createdAt, { dateStyle: "medium", timeStyle: "medium" })}
                  />
                ),
              },
              { name: t("factDuration"), value: lasted(request.durationMs) },
              { name: t("factKeyKind"), value: keyText ? t(keyText) : request.keyKind },
              ...code(t("factRoute"), request.route),
              ...code(t("factRequestId"), request.requestId),
              ...code(t("factKey"), request.idempotencyKey),
              ...code(t("factAddress"), request.ip),
            ]}
          />
          {request.replayed ? <p className="px-5 pb-4 text-ink-2 text-sm">{t("replayed")}</p> : null}
        </Card>
      </div>
    </>
  );
}

function Body({ title, value, copy, none }: { title: string; value: unknown; copy: string; none: string }) {
  if (value !== null && value !== undefined) {
    return <CodeBlock title={title} code={JSON.stringify(value, null, 2)} copyLabel={copy} />;
  }
  return (
    <Card className="px-5 py-4">
      <h2 className="font-medium text-ink text-sm">{title}</h2>
      <p className="mt-1 text-ink-3 text-sm">{none}</p>
    </Card>
  );
}

const NAMED_IN_PATH = /^\/v1\/[a-z]+\/([0-9a-f-]{36})/i;

/** The page of what the request made or was about. */
function madeBy({ path, responseBody }: LoggedRequest): string | undefined {
  const named = NAMED_IN_PATH.exec(path)?.[1];
  const made =
    typeof responseBody === "object" && responseBody !== null && "id" in responseBody ? responseBody.id : undefined;
  const id = named ?? made;
  return typeof id === "string" ? placeOf(path, id) : undefined;
}
