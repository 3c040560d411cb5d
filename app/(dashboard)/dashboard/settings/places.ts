import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const BASE = "/dashboard/settings";

/** The tabs of the settings, in their order, and what opens each; null is everybody's. */
export const PLACES = [
  { name: "brand", href: `${BASE}/brand`, right: "brand.edit" },
  { name: "protection", href: `${BASE}/protection`, right: "protection.edit" },
  { name: "alerts", href: `${BASE}/alerts`, right: "monitors.see" },
  { name: "team", href: `${BASE}/team`, right: "team.manage" },
  { name: "account", href: `${BASE}/account`, right: "team.manage" },
  { name: "security", href: `${BASE}/security`, right: null },
  { name: "profile", href: `${BASE}/profile`, right: null },
] as const satisfies readonly { name: string; href: string; right: Right | null }[];

export type Place = (typeof PLACES)[number]["name"];

export const placesFor = (role: OperatorRole) => PLACES.filter(({ right }) => right === null || may(role, right));
