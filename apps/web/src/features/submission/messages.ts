import { defineMessages } from '../../lib/messages.ts'

/** What the worker reads about what was handed in. */
export const submissionMessages = defineMessages({
  en: {
    next: 'What happens next', 'next.checking': 'The service checks what was handed in.', 'next.waiting': 'The publisher decides: pay, ask for changes, or reject.', 'next.approved': 'The work was approved. The payment below is the one of the service.', 'next.rejected': 'The work was rejected. A dispute or another try may be open: see the task.',
    dispute: 'Open a dispute', disputeTitle: 'Open a dispute', disputeSays: 'An arbiter reads both sides and decides. The bounty stays locked until then.', disputeReason: 'What it is about', description: 'What is wrong', confirmDispute: 'Open the dispute', disputed: 'The dispute is open.', again: 'Hand in again',
    signedOut: 'Sign in to see what you handed in.', title: 'Submission', task: 'The task',
    'reason.incomplete_work': 'The work was called incomplete', 'reason.poor_quality': 'The quality was called poor', 'reason.wrong_deliverable': 'It was said to be something else than asked', 'reason.late_delivery': 'It was said to be late', 'reason.fake_evidence': 'The evidence was called fake', 'reason.no_response': 'The publisher does not answer', 'reason.payment_issue': 'Something is wrong with the payment', 'reason.unfair_rejection': 'The rejection is unfair', 'reason.other': 'Something else',
    choose: 'Choose a reason', payment: 'Payment',
  },
  es: {
    next: 'Qué pasa ahora', 'next.checking': 'El servicio comprueba lo entregado.', 'next.waiting': 'Quien publica decide: pagar, pedir cambios o rechazar.', 'next.approved': 'El trabajo está aprobado. El pago de abajo es el que indica el servicio.', 'next.rejected': 'El trabajo fue rechazado. Puede haber una disputa u otro intento: mira la tarea.',
    dispute: 'Abrir una disputa', disputeTitle: 'Abrir una disputa', disputeSays: 'Una persona lee a las dos partes y decide. La recompensa queda bloqueada hasta entonces.', disputeReason: 'De qué se trata', description: 'Qué está mal', confirmDispute: 'Abrir la disputa', disputed: 'La disputa está abierta.', again: 'Volver a entregar',
    signedOut: 'Inicia sesión para ver lo que entregaste.', title: 'Entrega', task: 'La tarea',
    'reason.incomplete_work': 'Dicen que el trabajo está incompleto', 'reason.poor_quality': 'Dicen que la calidad es mala', 'reason.wrong_deliverable': 'Dicen que no es lo que se pidió', 'reason.late_delivery': 'Dicen que llegó tarde', 'reason.fake_evidence': 'Dicen que las pruebas son falsas', 'reason.no_response': 'Quien publicó no responde', 'reason.payment_issue': 'Hay un problema con el pago', 'reason.unfair_rejection': 'El rechazo es injusto', 'reason.other': 'Otra cosa',
    choose: 'Elige un motivo', payment: 'Pago',
  },
})
