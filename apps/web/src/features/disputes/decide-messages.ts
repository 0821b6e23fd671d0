import { defineMessages } from '../../lib/messages.ts'

/** What the arbiter reads while deciding. */
export const decideMessages = defineMessages({
  en: {
    decide: 'Decide', verdict: 'Who gets the bounty', release: 'Pay the worker everything', refund: 'Give everything back to the publisher', split: 'Split it', choose: 'Choose one.', share: 'Share of the publisher in percent', shareHelp: 'From 1 to 99; the worker gets the rest.', shareWrong: 'Give a whole number from 1 to 99.', reason: 'Reason', reasonHelp: 'Both sides read it, and it stands in the audit log.', actor: 'Your name', actorHelp: 'For the audit log alone. Optional.',
    preview: 'Where the money would go', back: 'Back to the publisher', gross: 'Share of the worker', fee: 'Fee of the service', payout: 'Reaches the worker', continue: 'Continue to the confirmation',
    confirmTitle: 'Decide this dispute?', final: 'This moves the money. Once the chain has confirmed it, nobody can take it back.', type: 'Type {word} to confirm', typeWrong: 'This is not the word.', 'word.release': 'PAY', 'word.refund': 'REFUND', 'word.split': 'SPLIT', confirm: 'Decide and move the money',
    done: 'Decided. The money is where the decision says.', under: 'Decided. The money is on its way.', unsure: 'It is not known whether the service took the decision. Close this and read the status before you decide again.',
  },
  es: {
    decide: 'Decidir', verdict: 'Quién recibe la recompensa', release: 'Pagar todo a quien trabaja', refund: 'Devolver todo a quien publica', split: 'Repartirla', choose: 'Elige una opción.', share: 'Parte de quien publica, en porcentaje', shareHelp: 'De 1 a 99; el resto es para quien trabaja.', shareWrong: 'Indica un número entero de 1 a 99.', reason: 'Motivo', reasonHelp: 'Lo leen las dos partes y queda en el registro de auditoría.', actor: 'Tu nombre', actorHelp: 'Solo para el registro de auditoría. Opcional.',
    preview: 'Adónde iría el dinero', back: 'Vuelve a quien publica', gross: 'Parte de quien trabaja', fee: 'Comisión del servicio', payout: 'Llega a quien trabaja', continue: 'Continuar a la confirmación',
    confirmTitle: '¿Decidir esta disputa?', final: 'Esto mueve el dinero. Cuando la cadena lo confirma, nadie puede deshacerlo.', type: 'Escribe {word} para confirmar', typeWrong: 'Esa no es la palabra.', 'word.release': 'PAGAR', 'word.refund': 'DEVOLVER', 'word.split': 'REPARTIR', confirm: 'Decidir y mover el dinero',
    done: 'Decidida. El dinero está donde dice la decisión.', under: 'Decidida. El dinero va en camino.', unsure: 'No se sabe si el servicio recibió la decisión. Cierra esto y lee el estado antes de volver a decidir.',
  },
})
