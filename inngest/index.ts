import { auditInvariantsWorkflow } from "@/inngest/functions/audit-invariants";
import { comparePaymentPages } from "@/inngest/functions/compare-payment-pages";
import { drainBookkeepingWorkflow, drainDueJobsWorkflow } from "@/inngest/functions/drain-due-jobs";
import { eraseFiles } from "@/inngest/functions/erase-files";
import { guardFlows } from "@/inngest/functions/guard-flows";
import { lookAtMonitorsWorkflow } from "@/inngest/functions/look-at-monitors";
import { processPurchaseOperation, sweepPurchaseOperations } from "@/inngest/functions/process-purchase-operation";
import { deleteExpiredRows, recoverChargesWorkflow } from "@/inngest/functions/recover-charges";
import { replayFlow, sweepReplays } from "@/inngest/functions/replay-flow";
import { rollUpPaymentStatsWorkflow } from "@/inngest/functions/roll-up-payment-stats";
import { deleteExpiredMail, sendEmail, sweepQueuedMail } from "@/inngest/functions/send-email";
import { sendSandboxNotifications } from "@/inngest/functions/send-sandbox-notifications";
import { deleteExpiredDeliveriesWorkflow, sweepWebhooks } from "@/inngest/functions/sweep-webhooks";
import { sweepBuyerMails, writeBuyerMailsWorkflow } from "@/inngest/functions/write-buyer-mails";
import { sweepNotices, writeNoticesWorkflow } from "@/inngest/functions/write-notices";
import { sweepReports, writeReport } from "@/inngest/functions/write-report";
import type { Workflow } from "@/lib/engine/workflow";

/** Every workflow of the product: either driver registers all of them. */
export const workflows: readonly Workflow[] = [
  drainDueJobsWorkflow,
  drainBookkeepingWorkflow,
  recoverChargesWorkflow,
  auditInvariantsWorkflow,
  deleteExpiredRows,
  rollUpPaymentStatsWorkflow,
  lookAtMonitorsWorkflow,
  comparePaymentPages,
  processPurchaseOperation,
  sweepPurchaseOperations,
  sendSandboxNotifications,
  sendEmail,
  sweepQueuedMail,
  deleteExpiredMail,
  eraseFiles,
  sweepWebhooks,
  writeBuyerMailsWorkflow,
  sweepBuyerMails,
  writeNoticesWorkflow,
  sweepNotices,
  deleteExpiredDeliveriesWorkflow,
  replayFlow,
  guardFlows,
  sweepReplays,
  writeReport,
  sweepReports,
];
