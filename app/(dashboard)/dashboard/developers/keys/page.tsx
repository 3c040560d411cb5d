import { KeyRound, TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { KeyDialog } from "@/app/(dashboard)/dashboard/developers/keys/dialogs";
import { areaWords, publicKeyWords, scopeWords } from "@/app/(dashboard)/dashboard/developers/keys/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { listSecretKeys, type SecretKey } from "@/lib/accounts/secret-keys";
import { inSnapshot, type KeyRights } from "@/lib/context";
import { BUYER_SCOPES, SEGMENTS } from "@/lib/http/scopes";
import { listPublicKeys } from "@/lib/public-keys/queries";

const PAGE = "/dashboard/developers/keys";
const MOST_SHOWN = 100;
const SHOWN_ADDRESSES = 2;
const SHOWN_AREAS = 3;
const DONE_TEXTS = { created: "doneCreated", revoked: "doneRevoked", addresses: "doneAddresses" } as const;
/** Reaches more than a buyer's browser needs. */
const isWide = (scope: string): boolean => scope !== "*" && !BUYER_SCOPES.some((one) => one === scope);
const nameOf = (key: Pick<SecretKey, "name" | "hint"> | undefined): string | undefined =>
  key && (key.name === null ? `${key.hint}…` : `${key.name} (${key.hint}…)`);
const isDone = (text: string | undefined): text is keyof typeof DONE_TEXTS =>
  text !== undefined && Object.hasOwn(DONE_TEXTS, text);

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("keys");
  return { title: t("title") };
}

export default async function KeysPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, account } = await requireRight(PAGE, "keys.manage");
  const [t, real, publicName, scopeName] = await Promise.all([
    getTranslations("keys"),
    realTime(ctx.account.clock),
    publicKeyWords(ctx.account.clock),
    scopeWords(),
  ]);
  const secretKeys = await listSecretKeys(ctx);
  const publicKeys = await inSnapshot(ctx, (inside) =>
    listPublicKeys(inside, { page: 1, limit: MOST_SHOWN, order: "desc" }),
  );
  const date = (at: Date | null) => (at ? real.moment(at) : t("never"));
  const id = oneOf(given, "id") ?? "";
  const chosen = publicKeys.items.find((key) => key.publicKey === id);
  const done = oneOf(given, "done");
  return (
    <>
      <PageHead title={t("title")} description={t("description")} />
      {isDone(done) ? <DoneNote text={t(DONE_TEXTS[done])} /> : null}
      <div className="grid grid-cols-1 gap-6">
        <Card className="overflow-hidden">
          <CardHeader
            title={t("secretTitle")}
            description={
              <>
                {t("secretText", { id: account.id })}
                <CopyButton text={account.id} label={t("copyClientId")} className="-my-2 ml-1 align-middle" />
              </>
            }
            actions={
              <LinkButton href={`${PAGE}?do=create`} scroll={false} size="sm" tone="primary" data-new>
                {t("create")}
              </LinkButton>
            }
          />
          {secretKeys.length === 0 ? (
            <EmptyState icon={KeyRound} title={t("noSecretTitle")}>
              {t("noSecretText")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("secretTitle")}
              actions={t("actions")}
              columns={[
                { key: "hint", title: t("key"), isFlexible: true },
                { key: "rights", title: t("access") },
                { key: "addresses", title: t("addresses"), isFlexible: true },
                { key: "used", title: t("lastUsed"), isFolded: true },
                { key: "created", title: t("createdAt"), isMinor: true, isFolded: true },
                { key: "expires", title: t("expiresAt"), isFolded: true },
              ]}
              rows={secretKeys.map((key) => ({
                id: key.id,
                cells: [
                  <span key="hint">
                    <span className="block truncate font-medium" title={key.name ?? undefined}>
                      {key.name ?? t("nameless")}
                    </span>
                    <code className="block whitespace-normal wrap-anywhere font-mono text-ink-3 text-xs">
                      {t("masked", { hint: key.hint })}
                    </code>
                  </span>,
                  key.rights === null ? t("accessAll") : <Rights key="rights" rights={key.rights} />,
                  key.allowedAddresses.length === 0 ? (
                    t("anywhere")
                  ) : (
                    <span key="addresses" className="font-mono text-xs" title={key.allowedAddresses.join(", ")}>
                      {key.allowedAddresses.length > SHOWN_ADDRESSES
                        ? t("addressesMore", {
                            first: key.allowedAddresses.slice(0, SHOWN_ADDRESSES).join(", "),
                            count: key.allowedAddresses.length - SHOWN_ADDRESSES,
                          })
                        : key.allowedAddresses.join(", ")}
                    </span>
                  ),
                  key.lastUsedAt ? (
                    <span key="used">
                      {date(key.lastUsedAt)}
                      {key.lastUsedFrom ? (
                        <span className="block font-mono text-ink-3 text-xs">{key.lastUsedFrom}</span>
                      ) : null}
                    </span>
                  ) : (
                    t("notUsed")
                  ),
                  date(key.createdAt),
                  key.expiresAt ? (
                    <Badge key="expires" tone="warning">
                      {t("until", { date: real.text(key.expiresAt) })}
                    </Badge>
                  ) : (
                    t("never")
                  ),
                ],
                actions: (
                  <>
                    {key.expiresAt ? null : (
                      <LinkButton href={`${PAGE}?do=rotate&id=${key.id}`} scroll={false} size="sm" tone="quiet">
                        {t("rotate")}
                        <span className="sr-only">{nameOf(key)}</span>
                      </LinkButton>
                    )}
                    <LinkButton href={`${PAGE}?do=addresses&id=${key.id}`} scroll={false} size="sm" tone="quiet">
                      {t("setAddresses")}
                      <span className="sr-only">{nameOf(key)}</span>
                    </LinkButton>
                    <LinkButton href={`${PAGE}?do=revoke&id=${key.id}`} scroll={false} size="sm" tone="quiet">
                      {t("revoke")}
                      <span className="sr-only">{nameOf(key)}</span>
                    </LinkButton>
                  </>
                ),
              }))}
            />
          )}
        </Card>
        <Card className="overflow-hidden">
          <CardHeader
            title={t("publicTitle")}
            description={t("publicText")}
            actions={
              <LinkButton href={`${PAGE}?do=create-public`} scroll={false} size="sm" tone="primary">
                {t("createPublic")}
              </LinkButton>
            }
          />
          {publicKeys.items.length === 0 ? (
            <EmptyState icon={KeyRound} title={t("noPublicTitle")}>
              {t("noPublicText")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("publicTitle")}
              actions={t("actions")}
              columns={[
                { key: "key", title: t("key") },
                { key: "scope", title: t("scopes") },
                { key: "used", title: t("lastUsed"), isMinor: true },
                { key: "expires", title: t("expiresAt") },
              ]}
              rows={publicKeys.items.map((key) => ({
                id: key.publicKey,
                cells: [
                  <span key="key">
                    <span className="font-medium">{publicName(key)}</span>
                    <span className="flex items-center gap-1">
                      <code className="min-w-0 break-all font-mono text-ink-3 text-xs">{key.publicKey}</code>
                      <CopyButton text={key.publicKey} label={t("copyPublicKey")} className="-my-1.5" />
                    </span>
                  </span>,
                  <span key="scope" className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    {key.scope.map(scopeName).join(", ")}
                    {key.scope.some(isWide) ? (
                      <Badge tone="warning" icon={TriangleAlert} title={t("wideScopesHint")}>
                        {t("wide")}
                      </Badge>
                    ) : null}
                  </span>,
                  date(key.lastUsedAt),
                  date(key.expiresAt),
                ],
                actions: (
                  <LinkButton
                    href={`${PAGE}?do=revoke-public&id=${key.publicKey}`}
                    scroll={false}
                    size="sm"
                    tone="quiet"
                  >
                    {t("revoke")}
                    <span className="sr-only">{publicName(key)}</span>
                  </LinkButton>
                ),
              }))}
            />
          )}
        </Card>
      </div>
      <KeyDialog
        doing={oneOf(given, "do")}
        id={id}
        isSandbox={account.mode === "sandbox"}
        allowed={secretKeys.find((key) => key.id === id)?.allowedAddresses ?? []}
        hint={nameOf(secretKeys.find((key) => key.id === id)) ?? (chosen ? publicName(chosen) : "")}
      />
    </>
  );
}

/** What a restricted key may do, in words; the rest is told to whoever points at it. */
async function Rights({ rights }: { rights: KeyRights }) {
  const [t, area] = await Promise.all([getTranslations("keys"), areaWords()]);
  const areas = SEGMENTS.flatMap((segment) => {
    const right = rights[segment];
    return right ? [t(right === "write" ? "areaWritten" : "areaRead", { area: area(segment) })] : [];
  });
  const shown = areas.slice(0, SHOWN_AREAS).join(", ");
  return (
    <span title={areas.join(", ")}>
      <Badge tone="info">{t("restricted")}</Badge>
      <span className="mt-1 block text-ink-2 text-xs">
        {areas.length > SHOWN_AREAS ? t("areasMore", { first: shown, count: areas.length - SHOWN_AREAS }) : shown}
      </span>
    </span>
  );
}
