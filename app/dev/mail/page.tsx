import { Mail } from "lucide-react";
import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { MailboxFrame } from "@/components/mailbox/frame";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { isAskedLocally, isMailboxShown, listKept } from "@/lib/mail/mailbox";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("mailbox");
  return { title: t("mailbox") };
}

/** Reads rows at each visit; a build has none. */
export const dynamic = "force-dynamic";

export default async function MailboxPage() {
  if (!isMailboxShown() || !isAskedLocally((await headers()).get("host"))) notFound();
  const [t, format, mails] = await Promise.all([getTranslations("mailbox"), getFormatter(), listKept()]);
  return (
    <MailboxFrame heading={t("mailbox")} lead={t("lead")}>
      <Card>
        {mails.length === 0 ? (
          <EmptyState icon={Mail} title={t("none")}>
            {t("noneText")}
          </EmptyState>
        ) : (
          <Table caption={t("mailbox")}>
            <TableHead>
              <TableRow>
                <TableHeader>{t("subject")}</TableHeader>
                <TableHeader>{t("recipient")}</TableHeader>
                <TableHeader>{t("writtenAt")}</TableHeader>
              </TableRow>
            </TableHead>
            <TableBody>
              {mails.map((mail) => (
                <TableRow key={mail.id}>
                  <TableCell>
                    <Link
                      href={`/dev/mail/${mail.id}`}
                      prefetch={false}
                      className="font-medium text-accent-ink underline-offset-4 hover:underline"
                    >
                      {mail.subject}
                    </Link>
                  </TableCell>
                  <TableCell className="break-all">{mail.to}</TableCell>
                  <TableCell className="whitespace-nowrap text-ink-2">
                    {format.dateTime(mail.keptAt, { dateStyle: "medium", timeStyle: "short" })}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        )}
      </Card>
    </MailboxFrame>
  );
}
