import { z } from "zod";

/** What is read of the Central Bank's API; everything else is dropped. */

export const problem = z.object({ type: z.string(), title: z.string(), status: z.number() });

const refund = z.object({
  id: z.string(),
  valor: z.string(),
  horario: z.object({ solicitacao: z.string(), liquidacao: z.string().optional() }),
  status: z.enum(["EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO"]),
  motivo: z.string().optional(),
});
export const refundAnswer = refund;
export type WireRefund = z.output<typeof refund>;

export const pix = z.object({
  endToEndId: z.string(),
  txid: z.string().optional(),
  valor: z.string(),
  horario: z.string(),
  devolucoes: z.array(refund).default([]),
});
export type WirePix = z.output<typeof pix>;

const CHARGE = {
  txid: z.string(),
  calendario: z.object({ criacao: z.string(), expiracao: z.number() }),
  valor: z.object({ original: z.string() }),
  status: z.enum(["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"]),
  chave: z.string(),
  location: z.string().optional(),
  pixCopiaECola: z.string().optional(),
};
export const chargeAnswer = z.object(CHARGE);
export type WireCharge = z.output<typeof chargeAnswer>;
export const wholeCharge = z.object({ ...CHARGE, pix: z.array(pix).default([]) });
export type WholeCharge = z.output<typeof wholeCharge>;

export const webhookAnswer = z.unknown();

/** One item: a Pix that arrived, or what became of a refund of it. Only those of a charge concern us. */
export const notified = z.object({
  endToEndId: z.string().min(1).max(64),
  txid: z.string().min(1).max(64),
  valor: z.string(),
  horario: z.string(),
  devolucoes: z.array(z.object({ id: z.string(), status: z.string() })).default([]),
});
const items = z.array(z.unknown()).default([]);
/** Payments, mandates and what is charged under them each come alone. */
export const notification = z.object({ pix: items, recs: items, cobsr: items });
