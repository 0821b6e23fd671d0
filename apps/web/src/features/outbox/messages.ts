import { defineMessages } from '../../lib/messages.ts'

export const outboxMessages = defineMessages({
  en: {
    title: 'Outbox', waiting: 'Waiting to be sent', offline: 'Waiting for the network', sent: 'Handed in', refused: 'Not accepted', now: 'Send now', sending: 'Sending …', open: 'Open it again', clear: 'Clear', late: 'The deadline passed before this reached the service. It is still sent; the service may refuse it.', code: 'Reason: {code}', attempts: '{n, plural, one {Tried once} other {Tried # times}}',
  },
  es: {
    title: 'Bandeja de salida', waiting: 'Esperando el envío', offline: 'Esperando la red', sent: 'Entregado', refused: 'No aceptado', now: 'Enviar ahora', sending: 'Enviando…', open: 'Abrir de nuevo', clear: 'Quitar', late: 'El plazo venció antes de que esto llegara al servicio. Se envía de todos modos; el servicio puede rechazarlo.', code: 'Motivo: {code}', attempts: '{n, plural, one {Un intento} other {# intentos}}',
  },
})
