import { startBank } from "@/lib/testing/providers/pix-bacen/mock";

/** A bank in a process of its own, so that its books are not weighed with the product. */
const { url, authority, client } = await startBank();
process.stdout.write(`${JSON.stringify({ url, ca: authority.cert, client })}\n`);
