import { defineMessages } from '../../lib/messages.ts'

export const feeOwedMessages = defineMessages({
  en: {
    owed: 'What you owe',
    wallet: 'From this wallet',
    network: 'Network',
    task: 'For',
    theTask: 'this task',
    underWay:
      'What you signed when you approved the work is still good. Put {amount} in {token} on this wallet, and the fee is collected by itself. Then publish again.',
    payNow:
      'You need {amount} in {token} on this wallet. You pay with one signature and no network fee; then publish again.',
    pay: 'Pay {amount}',
    intent: 'Pay the fee of {amount} that you owe',
    explains: 'This is the fee of a task whose worker you paid. It pays nothing else.',
    paid: 'The fee is paid. Publish again.',
    paying: 'The fee is on its way. Publish again in a moment.',
  },
  es: {
    owed: 'Lo que debes',
    wallet: 'Desde esta cartera',
    network: 'Red',
    task: 'Por',
    theTask: 'esta tarea',
    underWay:
      'Lo que firmaste al aprobar el trabajo sigue siendo válido. Pon {amount} en {token} en esta cartera y la comisión se cobra sola. Después publica de nuevo.',
    payNow:
      'Necesitas {amount} en {token} en esta cartera. Pagas con una sola firma y sin comisión de red; después publica de nuevo.',
    pay: 'Pagar {amount}',
    intent: 'Pagar la comisión de {amount} que debes',
    explains: 'Es la comisión de una tarea cuyo trabajo ya pagaste. No paga nada más.',
    paid: 'La comisión está pagada. Publica de nuevo.',
    paying: 'La comisión está en camino. Publica de nuevo en un momento.',
  },
})
