import { createHash } from "node:crypto";
import type { MockReply } from "@/lib/testing/providers/kit/server";
import { addSeconds } from "@/lib/time";

const HOUR_SECONDS = 3_600;

interface Known {
  digest: string;
  at: Date;
  reply: MockReply;
}

/** The same members in another order are the same request. */
const ordered = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** One key, one answer: the same request meets its own, another one is refused, and an old key protects nothing. */
export interface Keys {
  once(
    asked: { account: string; key: string | undefined; at: Date; content: unknown },
    run: () => MockReply,
    onOther: () => MockReply,
  ): MockReply;
  /** As if the keys of a payment had never been used. */
  forget(belongs: (key: string) => boolean): void;
}

export function openKeys(ttlHours: number): Keys {
  const known = new Map<string, Known>();
  return {
    once({ account, key, at, content }, run, onOther) {
      if (key === undefined) return run();
      const name = `${account} ${key}`;
      const digest = createHash("sha256").update(JSON.stringify(content, ordered)).digest("hex");
      const kept = known.get(name);
      if (kept && at < addSeconds(kept.at, ttlHours * HOUR_SECONDS)) {
        if (kept.digest !== digest) return onOther();
        const headers = { ...kept.reply.headers, "idempotent-replayed": "true" };
        return { ...kept.reply, headers, isSilent: false };
      }
      const reply = run();
      if (!reply.wasNotDone) known.set(name, { digest, at, reply });
      return reply;
    },
    forget(belongs) {
      for (const name of [...known.keys()]) if (belongs(name.slice(name.indexOf(" ") + 1))) known.delete(name);
    },
  };
}
