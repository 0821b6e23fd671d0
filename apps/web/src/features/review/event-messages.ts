import { defineMessages } from '../../lib/messages.ts'

/** The events of one task, by their dotted names. */
export const eventMessages = defineMessages({
  en: {
    'task.created': 'Published', 'task.updated': 'Changed', 'task.assigned': 'Worker assigned', 'task.assign_failed': 'Assignment failed', 'task.submitted': 'Work handed in', 'task.completed': 'Completed', 'task.cancelled': 'Cancelled', 'task.expired': 'Expired', 'task.withdrawn': 'The worker stepped down',
    'worker.applied': 'Somebody applied', 'submission.received': 'Submission received', 'submission.verified': 'Checks done', 'submission.approved': 'Submission approved', 'submission.rejected': 'Submission rejected', 'submission.revision_requested': 'Changes requested',
    'dispute.opened': 'Dispute opened', 'dispute.evidence_submitted': 'Statement added to the dispute', 'dispute.resolved': 'Dispute decided', 'payment.escrowed': 'Bounty locked', 'payment.released': 'Payment released', 'payment.refunded': 'Bounty refunded', 'payment.failed': 'A payment failed', 'reputation.updated': 'Rated',
  },
  es: {
    'task.created': 'Publicada', 'task.updated': 'Cambiada', 'task.assigned': 'Asignada', 'task.assign_failed': 'La asignación falló', 'task.submitted': 'Trabajo entregado', 'task.completed': 'Completada', 'task.cancelled': 'Cancelada', 'task.expired': 'Caducada', 'task.withdrawn': 'Quien trabajaba se retiró',
    'worker.applied': 'Nueva candidatura', 'submission.received': 'Entrega recibida', 'submission.verified': 'Comprobaciones hechas', 'submission.approved': 'Entrega aprobada', 'submission.rejected': 'Entrega rechazada', 'submission.revision_requested': 'Cambios pedidos',
    'dispute.opened': 'Disputa abierta', 'dispute.evidence_submitted': 'Declaración añadida a la disputa', 'dispute.resolved': 'Disputa decidida', 'payment.escrowed': 'Recompensa bloqueada', 'payment.released': 'Pago liberado', 'payment.refunded': 'Recompensa devuelta', 'payment.failed': 'Un pago falló', 'reputation.updated': 'Valorada',
  },
})
