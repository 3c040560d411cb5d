import { notFound, redirect } from "next/navigation";
import { requireSignedIn } from "@/app/(auth)/signed-in";
import { placesFor } from "@/app/(dashboard)/dashboard/settings/places";

/** The first of the settings that the person may open. */
export default async function SettingsPage() {
  const { account } = await requireSignedIn("/dashboard/settings");
  const [first] = account ? placesFor(account.role) : [];
  if (!first) notFound();
  redirect(first.href);
}
