import { z } from "zod";
import { pix } from "@/lib/providers/pix-bacen/wire";

/** What is read of the Central Bank's recurrences and of what is charged under them; everything else is dropped. */

export const locationAnswer = z.object({ id: z.number() });

export const MANDATE_STATUS = {
  CRIADA: "created",
  APROVADA: "approved",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "canceled",
} as const;

export const mandateAnswer = z.object({
  idRec: z.string(),
  status: z.enum(["CRIADA", "APROVADA", "REJEITADA", "EXPIRADA", "CANCELADA"]),
  vinculo: z.object({ contrato: z.string() }),
  atualizacao: z.array(z.object({ status: z.string(), data: z.string() })).default([]),
  encerramento: z.object({ cancelamento: z.object({ solicitante: z.string() }).optional() }).optional(),
  dadosQR: z.object({ pixCopiaECola: z.string().optional() }).optional(),
});
export type WireMandate = z.output<typeof mandateAnswer>;

export const mandatesAnswer = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.number() }) }),
  recs: z.array(mandateAnswer),
});

const rejection = z.object({ codigo: z.string() });

const attempt = z.object({
  dataLiquidacao: z.string(),
  status: z.enum(["SOLICITADA", "AGENDADA", "PAGA", "CANCELADA", "REJEITADA", "EXPIRADA"]),
  endToEndId: z.string(),
  rejeicao: rejection.optional(),
});
export type WireAttempt = z.output<typeof attempt>;

/** One is tried on several days under one name: each day is an attempt. */
export const instructionAnswer = z.object({
  idRec: z.string(),
  txid: z.string(),
  status: z.enum(["CRIADA", "ATIVA", "CONCLUIDA", "EXPIRADA", "REJEITADA", "CANCELADA"]).default("CRIADA"),
  calendario: z.object({ dataDeVencimento: z.string() }),
  valor: z.object({ original: z.string() }),
  pix: z.array(pix).default([]),
  tentativas: z.array(attempt).default([]),
  encerramento: z.object({ rejeicao: rejection.optional() }).optional(),
});
export type WireInstruction = z.output<typeof instructionAnswer>;

/** One item of a notification about mandates, and about what is charged under them. */
export const toldMandate = z.object({
  idRec: z.string().min(1).max(64),
  status: z.string().max(20),
  atualizacao: z.array(z.object({ data: z.string() })).default([]),
});
export const toldInstruction = z.object({
  txid: z.string().min(1).max(64),
  status: z.string().max(20),
  atualizacao: z.array(z.object({ data: z.string() })).default([]),
  tentativas: z.array(z.object({ dataLiquidacao: z.string().max(10), status: z.string().max(20) })).default([]),
});
