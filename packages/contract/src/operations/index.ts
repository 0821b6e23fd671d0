import type { Operation } from '../operation.ts'
import { escrows, payments } from './payments.ts'
import { reputation, workers } from './people.ts'
import { evidenceFiles, service } from './service.ts'
import { decisions, tasks } from './tasks.ts'

/** Every operation by its dotted name. Handlers, routes, documents and clients are derived from this record. */
export const operations = {
  'tasks.list': tasks.list,
  'tasks.available': tasks.available,
  'tasks.publish': tasks.publish,
  'tasks.get': tasks.get,
  'tasks.update': tasks.update,
  'tasks.cancel': tasks.cancel,
  'tasks.apply': tasks.apply,
  'tasks.applications': tasks.applications,
  'tasks.assignChallenge': tasks.assignChallenge,
  'tasks.assign': tasks.assign,
  'tasks.submit': tasks.submit,
  'tasks.submissions': tasks.submissions,
  'tasks.escrow': tasks.escrow,
  'tasks.approve': decisions.approveTask,
  'tasks.reject': decisions.rejectTask,
  'submissions.get': decisions.getSubmission,
  'submissions.approveChallenge': decisions.approveChallenge,
  'submissions.approve': decisions.approve,
  'submissions.reject': decisions.reject,
  'submissions.requestChanges': decisions.requestChanges,
  'workers.register': workers.register,
  'workers.get': workers.get,
  'escrow.health': escrows.health,
  'escrow.refund': escrows.refund,
  'escrow.reclaim': escrows.reclaim,
  'escrow.lifecycleChallenge': escrows.lifecycleChallenge,
  'payments.get': payments.get,
  'payments.events': payments.events,
  'payments.networks': payments.networks,
  'payments.fees': payments.fees,
  'reputation.prepare': reputation.prepare,
  'reputation.submit': reputation.submit,
  'reputation.register': reputation.register,
  'reputation.agent': reputation.agent,
  'reputation.identity': reputation.identity,
  'reputation.feedback': reputation.feedback,
  'reputation.networks': reputation.networks,
  'service.health': service.health,
  'service.healthPayments': service.healthPayments,
  'service.config': service.config,
  'auth.nonce': service.nonce,
  'auth.signingPolicy': service.signingPolicy,
  'auth.info': service.authInfo,
  'evidence.presignUpload': evidenceFiles.presignUpload,
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
export type Operations = typeof operations
