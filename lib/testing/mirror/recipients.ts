import { newId } from "@/lib/ids";
import type { MirrorReply, MirrorRequest } from "@/lib/testing/mirror/acquirer";
import type { WireRecipient } from "@/lib/testing/mirror/wire";
import { addSeconds } from "@/lib/time";

const REVIEW_SECONDS = 30;

interface Recipient {
  id: string;
  account: string;
  reference: string;
  acceptedAt: Date;
  isRefused: boolean;
  documents: string[];
}

/** Sellers at MIRROR: known by its own id alone, refused at once, accepted later. */
export function openRecipients() {
  const recipients: Recipient[] = [];
  const refuse = (code: string, status = 422): MirrorReply => ({ status, body: { error: { code } } });
  const reply = ({ id, reference, isRefused, acceptedAt }: Recipient, at: Date, status = 200): MirrorReply => ({
    status,
    body: {
      id,
      reference,
      state: isRefused ? "DENIED" : acceptedAt <= at ? "ACCEPTED" : "WAITING",
      expectedAt: acceptedAt.toISOString(),
      at: at.toISOString(),
    } satisfies WireRecipient,
  });

  function register({ account, at, body }: MirrorRequest): MirrorReply {
    const reference = String(body.reference);
    if (recipients.some((one) => one.account === account && one.reference === reference))
      return refuse("duplicate_reference", 409);
    const recipient: Recipient = {
      id: `rcp_${newId().replaceAll("-", "")}`,
      account,
      reference,
      acceptedAt: addSeconds(at, REVIEW_SECONDS),
      isRefused: String(body.document).endsWith("9"),
      documents: [],
    };
    recipients.push(recipient);
    return reply(recipient, at, 201);
  }

  function handle(request: MirrorRequest): MirrorReply {
    const { path, account, at, body, isRead } = request;
    const [, , id, action] = path.split("/");
    if (id === undefined) return register(request);
    const known = recipients.find((one) => one.id === id && one.account === account);
    if (!known) return refuse("not_found", 404);
    if (action !== "documents")
      return !isRead && body.accountNumber === "0" ? refuse("bank_refused") : reply(known, at);
    known.documents.push(String(body.type));
    return { status: 201, body: { id: `doc_${known.id}_${known.documents.length}`, at: at.toISOString() } };
  }

  return {
    handle,
    registrations: (reference: string): number => recipients.filter((one) => one.reference === reference).length,
  };
}
