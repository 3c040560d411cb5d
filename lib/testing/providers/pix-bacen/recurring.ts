import { randomBytes } from "node:crypto";
import { saoPauloDay, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import { centsToDecimal, decimalToCents } from "@/lib/money";
import type { MockReply } from "@/lib/testing/providers/kit/server";

type Members = Record<string, unknown>;
const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const ISPB = "12345678";
const signs = (count: number): string => randomBytes(count).toString("hex").slice(0, count);

interface Change {
  status: string;
  data: string;
}

export interface BankMandate {
  id: string;
  account: string;
  contract: string;
  asked: Members;
  location: number;
  status: "CRIADA" | "APROVADA" | "REJEITADA" | "EXPIRADA" | "CANCELADA";
  changes: Change[];
  end?: Members;
  createdAt: Date;
}

export interface BankAttempt {
  day: string;
  kind: "AGND" | "NTAG";
  status: "SOLICITADA" | "AGENDADA" | "PAGA" | "CANCELADA" | "REJEITADA" | "EXPIRADA";
  endToEndId: string;
  changes: Change[];
  refusal?: string;
}

export interface BankInstruction {
  txid: string;
  account: string;
  mandate: BankMandate;
  day: string;
  amount: number;
  receiver: Members;
  status: "CRIADA" | "ATIVA" | "CONCLUIDA" | "EXPIRADA" | "REJEITADA" | "CANCELADA";
  changes: Change[];
  attempts: BankAttempt[];
  createdAt: Date;
  isEndedByUs: boolean;
}

/** What becomes of a day: paid, not paid by its end, or refused by the payer's bank. */
export type DayEnd = "paid" | "unpaid" | "AM02" | "AC05";
/** The whole charge is refused with it, on whatever day. */
const FINAL: DayEnd = "AC05";

/** The recurring part of a bank: who authorized what, and what was tried on which day. Only tests read it. */
export interface Recurring {
  mandates: readonly BankMandate[];
  instructions: readonly BankInstruction[];
  /** Notifications, each as the bank posts it. */
  notices: Members[];
  /** What the payer, or time, does with an authorization. */
  answer(mandate: BankMandate, status: "APROVADA" | "REJEITADA" | "EXPIRADA" | "CANCELADA"): void;
  settle(instruction: BankInstruction, day: string, end: DayEnd): void;
}

export interface RecurringPart extends Recurring {
  /** Undefined for what belongs to the other part of the bank. */
  handle(
    account: string,
    asked: { method: string; parts: readonly string[]; query: URLSearchParams; body: Members },
  ): MockReply | undefined;
}

interface Bank {
  now(): Date;
  problem(status: number, word: string, detail?: string): MockReply;
  /** Of the Pix that arrived under a txid. */
  pixOf(account: string, txid: string): Members[];
  /** Money for a txid arrives under this name. */
  pay(account: string, txid: string, amount: number, endToEndId: string): void;
}

export function openRecurring({ now, problem, pixOf, pay }: Bank): RecurringPart {
  const mandates: BankMandate[] = [];
  const instructions: BankInstruction[] = [];
  const notices: Members[] = [];
  const locations = new Set<number>();
  const change = (status: string): Change => ({ status, data: now().toISOString() });

  function moved(mandate: BankMandate, status: BankMandate["status"], end?: Members): void {
    mandate.status = status;
    mandate.changes.push(change(status));
    if (end) mandate.end = end;
    const { id: idRec, changes: atualizacao } = mandate;
    notices.push({ recs: [{ idRec, status, atualizacao, ...(end ? { encerramento: end } : {}) }] });
    if (status === "APROVADA" || status === "CRIADA") return;
    // What was to be tried under it is not tried any more.
    for (const one of instructions) if (one.mandate === mandate) drop(one);
  }

  function drop(one: BankInstruction): void {
    const isOpen = one.status === "CRIADA" || one.status === "ATIVA";
    if (!isOpen) return;
    for (const attempt of one.attempts) if (isWaiting(attempt)) tried(one, attempt, "CANCELADA");
    become(one, "CANCELADA");
  }

  function become(one: BankInstruction, status: BankInstruction["status"]): void {
    one.status = status;
    one.changes.push(change(status));
    told(one);
  }

  function tried(one: BankInstruction, attempt: BankAttempt, status: BankAttempt["status"]): void {
    attempt.status = status;
    attempt.changes.push(change(status));
    told(one);
  }

  const told = (one: BankInstruction): void => {
    const { txid, status, changes: atualizacao, attempts } = one;
    notices.push({
      cobsr: [{ idRec: one.mandate.id, txid, status, atualizacao, tentativas: attempts.map(shownAttempt) }],
    });
  };

  function createMandate(account: string, body: Members): MockReply {
    const { loc, vinculo, calendario, politicaRetentativa } = body;
    const location = Number(loc);
    if (!locations.has(location) || mandates.some((one) => one.location === location)) {
      return problem(400, "RecOperacaoInvalida", "loc");
    }
    if (textOf(membersOf(calendario).dataInicial) < saoPauloDay(now())) return problem(400, "RecOperacaoInvalida");
    const day = saoPauloDay(now()).replaceAll("-", "");
    const letter = politicaRetentativa === "PERMITE_3R_7D" ? "R" : "N";
    const made: BankMandate = {
      id: `R${letter}${ISPB}${day}${signs(11)}`,
      account,
      contract: textOf(membersOf(vinculo).contrato),
      asked: body,
      location,
      status: "CRIADA",
      changes: [change("CRIADA")],
      createdAt: now(),
    };
    mandates.push(made);
    return { status: 201, body: shownMandate(made) };
  }

  function list(account: string, query: URLSearchParams): MockReply {
    const [from, until] = [new Date(query.get("inicio") ?? ""), new Date(query.get("fim") ?? "")];
    const size = Number(query.get("paginacao.itensPorPagina") ?? 100);
    const page = Number(query.get("paginacao.paginaAtual") ?? 0);
    if (!(from <= until)) return problem(400, "RecConsultaInvalida");
    const found = mandates.filter((one) => one.account === account && one.createdAt >= from && one.createdAt <= until);
    const paginacao = {
      paginaAtual: page,
      itensPorPagina: size,
      quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
      quantidadeTotalDeItens: found.length,
    };
    const parametros = { inicio: from.toISOString(), fim: until.toISOString(), paginacao };
    return {
      status: 200,
      body: { parametros, recs: found.slice(page * size, (page + 1) * size).map((one) => shownMandate(one)) },
    };
  }

  function endMandate(mandate: BankMandate): MockReply {
    if (mandate.status !== "CRIADA" && mandate.status !== "APROVADA") return problem(400, "RecOperacaoInvalida");
    moved(mandate, "CANCELADA", canceledBy("USUARIO_RECEBEDOR"));
    return { status: 200, body: shownMandate(mandate) };
  }

  function instruct(account: string, txid: string, body: Members): MockReply {
    const { idRec, calendario, valor, recebedor } = body;
    const mandate = mandates.find((one) => one.account === account && one.id === idRec);
    const day = textOf(membersOf(calendario).dataDeVencimento);
    const amount = decimalToCents(textOf(membersOf(valor).original)) ?? 0;
    const isTaken = instructions.some((one) => one.account === account && one.txid === txid);
    // Of one month, which is every cycle of the tests.
    const isOfCycle = instructions.some(
      (one) =>
        one.mandate === mandate &&
        one.day.slice(0, 7) === day.slice(0, 7) &&
        one.status !== "REJEITADA" &&
        one.status !== "CANCELADA",
    );
    const isLate = day < saoPauloDay(now());
    if (mandate?.status !== "APROVADA" || isTaken || isOfCycle || isLate || amount <= 0) {
      return problem(400, "CobROperacaoInvalida");
    }
    const attempt: BankAttempt = {
      day,
      kind: "AGND",
      status: "AGENDADA",
      endToEndId: endToEnd(),
      changes: [change("AGENDADA")],
    };
    const made: BankInstruction = {
      txid,
      account,
      mandate,
      day,
      amount,
      receiver: membersOf(recebedor),
      status: "ATIVA",
      changes: [change("CRIADA"), change("ATIVA")],
      attempts: [attempt],
      createdAt: now(),
      isEndedByUs: false,
    };
    instructions.push(made);
    return { status: 201, body: asked(made) };
  }

  const endToEnd = (): string => `E${ISPB}${now().toISOString().replace(/\D/g, "").slice(0, 12)}${signs(11)}`;

  function takeBack(one: BankInstruction): MockReply {
    const isOpen = one.status === "CRIADA" || one.status === "ATIVA";
    if (!isOpen || saoPauloDay(now()) >= one.day) return problem(400, "CobROperacaoInvalida");
    one.isEndedByUs = true;
    drop(one);
    return { status: 200, body: asked(one) };
  }

  function again(one: BankInstruction, day: string): MockReply {
    const mayRetry = one.mandate.asked.politicaRetentativa === "PERMITE_3R_7D";
    const isRefused = !mayRetry || one.attempts.some(isWaiting) || day <= saoPauloDay(now());
    if (isRefused || one.status !== "ATIVA" || one.mandate.status !== "APROVADA") {
      return problem(400, "CobROperacaoInvalida");
    }
    one.attempts.push({
      day,
      kind: "NTAG",
      status: "AGENDADA",
      endToEndId: endToEnd(),
      changes: [change("AGENDADA")],
    });
    told(one);
    return { status: 201, body: whole(one) };
  }

  const asked = ({ txid, mandate, day, amount, receiver, status, createdAt }: BankInstruction): Members => ({
    idRec: mandate.id,
    txid,
    status,
    calendario: { criacao: saoPauloDay(createdAt), dataDeVencimento: day },
    valor: { original: centsToDecimal(amount) },
    ajusteDiaUtil: false,
    recebedor: { cnpj: "12345678000195", nome: "Loja", ...receiver },
  });

  const whole = (one: BankInstruction): Members => {
    const arrived = pixOf(one.account, one.txid);
    return {
      ...asked(one),
      politicaRetentativa: one.mandate.asked.politicaRetentativa,
      atualizacao: one.changes,
      tentativas: one.attempts.map(shownAttempt),
      ...(arrived.length > 0 ? { pix: arrived } : {}),
      ...(one.status === "CANCELADA"
        ? { encerramento: canceledBy(one.isEndedByUs ? "USUARIO_RECEBEDOR" : "USUARIO_PAGADOR") }
        : {}),
    };
  };

  return {
    mandates,
    instructions,
    notices,
    answer(mandate, status) {
      const ends: Partial<Record<typeof status, Members>> = {
        REJEITADA: { rejeicao: { codigo: "AP13", descricao: "Recusada pelo pagador" } },
        CANCELADA: canceledBy("USUARIO_PAGADOR"),
      };
      moved(mandate, status, ends[status]);
    },
    settle(one, day, end) {
      const attempt = one.attempts.find((known) => known.day === day);
      if (!attempt || !isWaiting(attempt)) throw new Error(`nothing waits on ${day}`);
      const isRetried = one.mandate.asked.politicaRetentativa === "PERMITE_3R_7D";
      switch (end) {
        case "paid":
          pay(one.account, one.txid, one.amount, attempt.endToEndId);
          tried(one, attempt, "PAGA");
          return become(one, "CONCLUIDA");
        case "unpaid":
          tried(one, attempt, "EXPIRADA");
          return isRetried ? undefined : become(one, "EXPIRADA");
        default:
          attempt.refusal = end;
          tried(one, attempt, "REJEITADA");
          return isRetried && end !== FINAL ? undefined : become(one, "REJEITADA");
      }
    },
    handle(account, { method, parts: [resource = "", id = "", rest = "", day = ""], query, body }) {
      if (resource === "locrec") {
        const location = locations.size + 1;
        locations.add(location);
        return { status: 201, body: placeOf(location, now()) };
      }
      if (resource === "rec") {
        if (id === "") return method === "POST" ? createMandate(account, body) : list(account, query);
        const mandate = mandates.find((one) => one.account === account && one.id === id);
        if (!mandate) return problem(404, "RecNaoEncontrada");
        if (method === "PATCH") return endMandate(mandate);
        const txid = query.get("txid") ?? undefined;
        const { dadosJornada } = membersOf(mandate.asked.ativacao);
        if (txid !== undefined && membersOf(dadosJornada).txid !== txid) return problem(400, "RecConsultaInvalida");
        return { status: 200, body: { ...shownMandate(mandate), ...codeOf(mandate, txid) } };
      }
      if (resource !== "cobr") return undefined;
      if (method === "PUT") return instruct(account, id, body);
      const one = instructions.find((known) => known.account === account && known.txid === id);
      if (!one) return problem(404, "CobRNaoEncontrado");
      if (method === "PATCH") return takeBack(one);
      return rest === "retentativa" ? again(one, day) : { status: 200, body: whole(one) };
    },
  };
}

/** The payer's bank pays in the night of the day. */
export const nightOf = (day: string): Date => saoPauloInstant(day, "05:00:00");
export const eveningOf = (day: string): Date => saoPauloInstant(day, "21:00:00");

const isWaiting = ({ status }: BankAttempt): boolean => status === "SOLICITADA" || status === "AGENDADA";

const shownAttempt = ({ day, kind, status, endToEndId, changes, refusal }: BankAttempt): Members => ({
  dataLiquidacao: day,
  tipo: kind,
  status,
  endToEndId,
  atualizacao: changes,
  ...(refusal === undefined ? {} : { rejeicao: { codigo: refusal, descricao: "Recusada" } }),
});

const canceledBy = (solicitante: string): Members => ({
  cancelamento: { solicitante, codigo: "SLCR", descricao: "Cancelamento solicitado" },
});

const placeOf = (id: number, at: Date, idRec?: string): Members => ({
  id,
  location: `pix.bank.example/qr/v2/rec/${id}`,
  criacao: at.toISOString(),
  ...(idRec === undefined ? {} : { idRec }),
});

function shownMandate({ id, asked, location, status, changes, end, createdAt }: BankMandate): Members {
  const { loc: _loc, ativacao, ...rest } = asked;
  const { dadosJornada } = membersOf(ativacao);
  const tipoJornada = dadosJornada ? "JORNADA_3" : status === "CRIADA" ? "AGUARDANDO_DEFINICAO" : "JORNADA_2";
  return {
    idRec: id,
    ...rest,
    status,
    recebedor: { cnpj: "12345678000195", nome: "Loja" },
    loc: placeOf(location, createdAt, id),
    atualizacao: changes,
    ativacao: { tipoJornada, ...(dadosJornada ? { dadosJornada } : {}) },
    ...(end ? { encerramento: end } : {}),
  };
}

/** In the journey that begins with a payment, of both. */
function codeOf({ location }: BankMandate, txid: string | undefined): Members {
  const url = txid === undefined ? `pix.bank.example/qr/v2/rec/${location}` : `pix.bank.example/qr/v2/${txid}`;
  const pixCopiaECola = dynamicPixCode({ url, merchantName: "Loja", merchantCity: "Sao Paulo" });
  return { dadosQR: { jornada: txid === undefined ? "JORNADA_2" : "JORNADA_3", pixCopiaECola } };
}
