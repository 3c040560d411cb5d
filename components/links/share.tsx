import { Mail, MessageCircle } from "lucide-react";
import { ShareButton } from "@/components/links/share-button";
import { buttonLook } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";

interface ShareProps {
  title: string;
  description: string;
  address: string;
  /** Who it is for, where that is known; the phone as digits from its country on. */
  to: { email: string | undefined; whatsapp: string | undefined };
  /** An SVG made by the server. */
  qr: string;
  /** What is sent with it. */
  message: string;
  subject: string;
  texts: { share: string; copy: string; copyMessage: string; whatsapp: string; email: string; qr: string };
}

/** Everything by which a link reaches its buyer; nothing of it leaves before a press. */
export function Share({ title, description, address, to, qr, message, subject, texts }: ShareProps) {
  const whatsapp = `https://wa.me/${to.whatsapp ?? ""}?${new URLSearchParams({ text: message })}`;
  const email = `mailto:${encodeURIComponent(to.email ?? "")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(message)}`;
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={description} />
      <div className="flex items-start gap-5 px-5 py-5 max-sm:flex-col-reverse">
        {/* biome-ignore lint/performance/noImgElement: already a data address, nothing to optimise */}
        <img
          src={`data:image/svg+xml;base64,${Buffer.from(qr).toString("base64")}`}
          alt={texts.qr}
          width={144}
          height={144}
          className="rounded-md border border-line bg-white p-1.5 max-sm:self-center"
        />
        <div className="grid min-w-0 flex-1 grid-cols-1 gap-4 max-sm:w-full">
          <div className="grid gap-2 sm:hidden">
            <ShareButton subject={subject} message={message} text={texts.share} />
            <CopyButton text={address} label={texts.copy} tone="secondary" size="lg" isWorded className="w-full" />
          </div>
          <div className="flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
            <a
              href={address}
              className="min-w-0 flex-1 truncate font-mono text-accent-ink text-sm underline max-sm:whitespace-normal max-sm:break-all max-sm:py-1.5"
            >
              {address}
            </a>
            <CopyButton text={address} label={texts.copy} className="max-sm:hidden" />
          </div>
          <div className="flex flex-wrap gap-2">
            <a href={whatsapp} target="_blank" rel="noreferrer" className={buttonLook({})}>
              <MessageCircle aria-hidden />
              {texts.whatsapp}
            </a>
            <a href={email} className={buttonLook({})}>
              <Mail aria-hidden />
              {texts.email}
            </a>
            <CopyButton text={message} label={texts.copyMessage} tone="secondary" isWorded />
          </div>
          <p className="whitespace-pre-line rounded-md bg-sunken px-3 py-2.5 text-ink-2 text-sm [overflow-wrap:anywhere]">
            {message}
          </p>
        </div>
      </div>
    </Card>
  );
}
