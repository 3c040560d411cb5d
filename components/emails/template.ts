import type { ReactNode } from "react";
import type { Tokens } from "@/lib/branding/palette";
import type { Locale } from "@/lib/i18n/locales";
import type { InlineFile } from "@/lib/mail/delivery";
import type { MailData, MailTemplate } from "@/lib/mail/templates";
import type { ShopLook } from "@/lib/settings/brand";

/** What a template has to work with. */
export interface Letter<T extends MailTemplate> {
  data: MailData<T>;
  locale: Locale;
  brand: ShopLook;
  look: Tokens;
}

export interface EmailTemplate<T extends MailTemplate> {
  subject(letter: Letter<T>): string;
  /** Shown beside the subject in lists of messages. */
  preview(letter: Letter<T>): string;
  Body(letter: Letter<T>): ReactNode;
  /** The page where the reader turns such e-mails off. */
  unsubscribe?(letter: Letter<T>): string | undefined;
  /** Pictures the body names by `cid:`. */
  inline?(letter: Letter<T>): Promise<InlineFile[]>;
}
