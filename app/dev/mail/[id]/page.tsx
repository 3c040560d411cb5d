import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { MailboxFrame } from "@/components/mailbox/frame";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { isAskedLocally, isMailboxShown, readKeptMail } from "@/lib/mail/mailbox";

interface MailPageProps {
  params: Promise<{ id: string }>;
}

const find = async ({ params }: MailPageProps) =>
  isMailboxShown() && isAskedLocally((await headers()).get("host")) ? readKeptMail((await params).id) : undefined;

export async function generateMetadata(props: MailPageProps): Promise<Metadata> {
  const mail = await find(props);
  return mail ? { title: mail.subject } : {};
}

export default async function MailPage(props: MailPageProps) {
  const mail = await find(props);
  if (!mail) notFound();
  const t = await getTranslations("mailbox");
  return (
    <MailboxFrame heading={mail.subject} lead={t("to", { recipient: mail.to })}>
      <p className="mb-5 text-sm">
        <Link href="/dev/mail" className="text-accent-ink underline-offset-4 hover:underline">
          {t("back")}
        </Link>
      </p>
      <div className="grid gap-6 lg:grid-cols-[3fr_2fr]">
        <Card>
          <CardHeader title={t("asShown")} />
          {/* No script, no form and no cookie of ours: an e-mail shows what strangers typed. Its links open elsewhere. */}
          <iframe
            title={t("asShown")}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
            srcDoc={`<base target="_blank">${mail.html}`}
            className="h-[70vh] w-full rounded-b-lg bg-white"
          />
        </Card>
        <Card className="min-w-0">
          <CardHeader title={t("asText")} />
          <CardBody>
            <pre className="whitespace-pre-wrap break-words font-mono text-ink text-xs leading-5">{mail.text}</pre>
          </CardBody>
        </Card>
      </div>
    </MailboxFrame>
  );
}
