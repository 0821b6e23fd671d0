import { defineMessages } from '../../lib/messages.ts'

/** What every form of the operator asks besides its own: why, and who. */
export const operatorFormMessages = defineMessages({
  en: {
    reason: 'Reason',
    reasonHint: 'The audit log keeps it for good.',
    actor: 'Who you are (optional)',
    actorHint: 'The audit log shows it beside the reason; “admin” when it is empty. Kept in this browser.',
    actorBad: 'At most 100 letters, digits and signs of Western European writing.',
  },
  es: {
    reason: 'Motivo',
    reasonHint: 'Queda para siempre en el registro de auditoría.',
    actor: 'Quién eres (opcional)',
    actorHint:
      'Queda en el registro de auditoría junto al motivo; «admin» si lo dejas vacío. Se guarda en este navegador.',
    actorBad: 'Como máximo 100 letras, cifras y signos de la escritura de Europa occidental.',
  },
})
