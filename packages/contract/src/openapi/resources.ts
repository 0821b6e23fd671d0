import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import { adminWorker, auditLine, metrics, moneyFinding, runSetting, sweptFees } from '../resources/admin.ts'
import { rejection } from '../resources/decision.ts'
import { typedEvidence } from '../resources/evidence-forms.ts'
import { listing } from '../resources/listing.ts'
import { acceptedTick, channel, channelEvent, meter, publicChannel, voucher } from '../resources/meter.ts'
import { agentEntry, earning, rankedWorker, receivedRating, registryMean } from '../resources/people.ts'
import { position } from '../resources/position.ts'
import { executorReputation, publisherReputation, task } from '../resources/task.ts'
import { webhook, webhookAttempt, webhookDelivery } from '../resources/webhook.ts'
import {
  application,
  approval,
  check,
  dispute,
  disputeRecord,
  disputeStatement,
  escrow,
  evidence,
  lifecycleOrder,
  paymentEvent,
  paymentInfo,
  submission,
  worker,
} from '../resources/work.ts'
import { typedData } from '../schema.ts'
import { categories, escrowStatuses, evidenceTypes, taskStatuses } from '../vocabulary.ts'

/** What generators make a type of, by its name in the document. */
export const resources: Readonly<Record<string, TSchema>> = {
  Task: task,
  PublisherReputation: publisherReputation,
  ExecutorReputation: executorReputation,
  Application: application,
  Submission: submission,
  Evidence: evidence,
  Check: check,
  Approval: approval,
  Rejection: rejection,
  Dispute: dispute,
  DisputeRecord: disputeRecord,
  DisputeStatement: disputeStatement,
  Worker: worker,
  RankedWorker: rankedWorker,
  Listing: listing,
  Agent: agentEntry,
  Rating: receivedRating,
  RegistryMean: registryMean,
  Earning: earning,
  Escrow: escrow,
  PaymentInfo: paymentInfo,
  PaymentEvent: paymentEvent,
  LifecycleOrder: lifecycleOrder,
  Meter: meter,
  Channel: channel,
  PublicChannel: publicChannel,
  Voucher: voucher,
  AcceptedTick: acceptedTick,
  ChannelEvent: channelEvent,
  TypedData: typedData(),
  Position: position,
  Webhook: webhook,
  WebhookAttempt: webhookAttempt,
  WebhookDelivery: webhookDelivery,
  AdminWorker: adminWorker,
  AuditLine: auditLine,
  SweptFees: sweptFees,
  MoneyFinding: moneyFinding,
  RunSetting: runSetting,
  Metrics: metrics,
  TaskStatus: Type.Enum([...taskStatuses]),
  EscrowStatus: Type.Enum([...escrowStatuses]),
  Category: Type.Enum([...categories]),
  EvidenceType: Type.Enum([...evidenceTypes]),
}

/** What generators are told in place of a schema that leaves more to the rules behind it. */
export const typed: Readonly<Record<string, TSchema>> = { Evidence: typedEvidence }
