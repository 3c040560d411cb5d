import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { createLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { proposeAdjustmentAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import { saveLookAction } from "@/app/(dashboard)/dashboard/settings/brand/actions";
import { inviteAction } from "@/app/(dashboard)/dashboard/settings/team/actions";
import {
  createSubscriptionAction,
  editSubscriptionAction,
} from "@/app/(dashboard)/dashboard/subscriptions/form-actions";
import type { TaskAction } from "@/components/tasks/task-form";
import { env } from "@/lib/env";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import { signedIn } from "@/lib/testing/people";
import { openClub } from "@/lib/testing/subscriptions";

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined, origin: "" }));
vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ origin: request.origin, host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => {
  const locale = "pt-BR" as const;
  return {
    getLocale: async () => locale,
    getTimeZone: async () => "UTC",
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

const UNREAD = "Digite o valor com dois dígitos depois da vírgula, como 40,00 ou 1.234,00.";

test.each([
  ["that can be read in two ways", "12,345", UNREAD],
  ["of nothing", "0,00", "Informe um valor maior que zero."],
])(
  "an amount %s is refused in the same words by every form",
  async (_what, typed, words) => {
    const club = await openClub("2027-01-31T10:00:00Z");
    await club.card();
    const { body: subscription } = await club.subscribe({});
    request.sessionId = await signedIn(club.client, "owner");
    request.origin = env().BASE_URL;
    const plan = { name: "Ouro", merchantId: club.merchant.id, customerId: club.customerId, interval: "monthly" };
    const forms: [act: TaskAction, field: string, others: Record<string, string>][] = [
      [inviteAction, "each", { email: "ana@equipe.example", role: "support", daily: "900,00" }],
      [inviteAction, "daily", { email: "ana@equipe.example", role: "support", each: "900,00" }],
      [createLinkAction, "amount", { name: "Mesa" }],
      [saveLookAction, "leastPart", {}],
      [proposeAdjustmentAction, "amount", { id: newId(), kind: "credit", reason: "Acerto" }],
      [createSubscriptionAction, "amount", { ...plan, method: "qr", form: newId() }],
      [editSubscriptionAction, "amount0", { id: subscription.id, name: "Ouro" }],
    ];
    for (const [act, field, others] of forms) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...others, [field]: typed })) form.set(name, value);
      const { problems } = await act({}, form);
      expect([act.name, problems?.[field]]).toEqual([act.name, words]);
    }
  },
  30_000,
);
