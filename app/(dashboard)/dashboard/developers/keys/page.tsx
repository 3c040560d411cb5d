import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { KeyDialog } from "@/app/(dashboard)/dashboard/developers/keys/dialogs";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { listSecretKeys } from "@/lib/accounts/secret-keys";
import { inSnapshot } from "@/lib/context";
import { listPublicKeys } from "@/lib/public-keys/queries";

const PAGE = "/dashboard/developers/keys";
const MOST_SHOWN = 100;
const SHOWN_ADDRESSES = 2;
const DONE_TEXTS = { created: "doneCreated", revoked: "doneRevoked", addresses: "doneAddresses" } as const;
const isDone = (text: string | undefined): text is keyof typeof DONE_TEXTS =>
  text !== undefined && Object.hasOwn(DONE_TEXTS, text);

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("keys");
  return { title: t("title") };
}

export default async function KeysPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, account } = await requireRight(PAGE, "keys.manage");
  const [t, format] = await Promise.all([getTranslations("keys"), getFormatter()]);
  const secretKeys = await listSecretKeys(ctx);
  const publicKeys = await inSnapshot(ctx, (inside) =>
    listPublicKeys(inside, { page: 1, limit: MOST_SHOWN, order: "desc" }),
  );
  const date = (at: Date | null) => (at ? format.dateTime(at, { dateStyle: "short", timeStyle: "short" }) : t("never"));
  const id = oneOf(given, "id") ?? "";
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
              <>
                {secretKeys.length > 0 ? (
                  <LinkButton href={`${PAGE}?do=rotate`} scroll={false} size="sm">
                    {t("rotate")}
                  </LinkButton>
                ) : null}
                <LinkButton href={`${PAGE}?do=create`} scroll={false} size="sm" tone="primary" data-new>
                  {t("create")}
                </LinkButton>
              </>
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
                { key: "hint", title: t("key") },
                { key: "addresses", title: t("addresses") },
                { key: "used", title: t("lastUsed") },
                { key: "created", title: t("createdAt"), isMinor: true },
                { key: "expires", title: t("expiresAt") },
              ]}
              rows={secretKeys.map((key) => ({
                id: key.id,
                cells: [
                  <code key="hint" className="font-mono text-sm">
                    {t("masked", { hint: key.hint })}
                  </code>,
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
                      {t("until", { date: date(key.expiresAt) })}
                    </Badge>
                  ) : (
                    t("never")
                  ),
                ],
                actions: (
                  <>
                    <LinkButton href={`${PAGE}?do=addresses&id=${key.id}`} scroll={false} size="sm" tone="quiet">
                      {t("setAddresses")}
                      <span className="sr-only">{key.hint}</span>
                    </LinkButton>
                    <LinkButton href={`${PAGE}?do=revoke&id=${key.id}`} scroll={false} size="sm" tone="quiet">
                      {t("revoke")}
                      <span className="sr-only">{key.hint}</span>
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
                  <span key="key" className="flex items-center gap-1">
                    <code className="min-w-0 break-all font-mono text-xs">{key.publicKey}</code>
                    <CopyButton text={key.publicKey} label={t("copyPublicKey")} className="-my-1.5" />
                  </span>,
                  key.scope.join(", "),
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
                    <span className="sr-only">{key.publicKey}</span>
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
        allowed={secretKeys.find((key) => key.id === id)?.allowedAddresses ?? []}
        hint={
          secretKeys.find((key) => key.id === id)?.hint ??
          publicKeys.items.find((key) => key.publicKey === id)?.publicKey ??
          ""
        }
      />
    </>
  );
}
