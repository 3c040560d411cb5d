import { cookies } from "next/headers";
import { ownCookie } from "@/app/(auth)/cookies";
import { DEVICE_SECONDS } from "@/lib/sign-in/known-devices";

/** The secret of a browser that somebody signed in with; it opens nothing by itself. */
export const deviceHere = async (): Promise<string | undefined> =>
  (await cookies()).get(ownCookie("device").name)?.value;

export async function keepDevice(device: string): Promise<void> {
  const { name, options } = ownCookie("device");
  (await cookies()).set(name, device, { ...options, maxAge: DEVICE_SECONDS });
}
