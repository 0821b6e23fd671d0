import { defineMessages } from '../../lib/messages.ts'

export const outboxMessages = defineMessages({
  en: {
    title: 'Outbox', waiting: 'Waiting to be sent', offline: 'Waiting for the network', sent: 'Handed in', refused: 'Not accepted', now: 'Send now', sending: 'Sending …', open: 'Open it again', clear: 'Clear', late: 'The deadline passed before this reached the service. It is still sent; the service may refuse it.', toldSent: 'Handed in: {title}', toldRefused: 'Not accepted: {title}. Your outbox says why.', underWay: 'This is in your outbox', underWayHelp: 'What you handed in waits on this device and is sent as soon as there is a network. There is nothing more to do.', see: 'See the outbox', attempts: '{n, plural, one {Tried once} other {Tried # times}}',
  },
  es: {
    title: 'Bandeja de salida', waiting: 'Esperando el envío', offline: 'Esperando la red', sent: 'Entregado', refused: 'No aceptado', now: 'Enviar ahora', sending: 'Enviando…', open: 'Abrir de nuevo', clear: 'Quitar', late: 'El plazo venció antes de que esto llegara al servicio. Se envía de todos modos; el servicio puede rechazarlo.', toldSent: 'Entregado: {title}', toldRefused: 'No aceptado: {title}. El motivo está en tu bandeja de salida.', underWay: 'Esto está en tu bandeja de salida', underWayHelp: 'Lo que entregaste espera en este dispositivo y se envía en cuanto haya red. No tienes que hacer nada más.', see: 'Ver la bandeja de salida', attempts: '{n, plural, one {Un intento} other {# intentos}}',
  },
})
