import { env } from "@/lib/env";

/** Where anybody may load a logo by its own unguessable name. */
export const logoUrl = (file: string): string => `${env().BASE_URL}/files/logo/${file}`;
