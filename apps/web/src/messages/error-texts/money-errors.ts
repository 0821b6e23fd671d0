import type { ErrorRow } from './error-text.ts'

/** Signatures that pay, the bounty on the chain, ratings and identities. Each says where the money is. */
export const moneyErrors = {
  escrow_signature_required: {
    en: [
      'The payer has to sign before the bounty is locked.',
      'Nothing was paid. Assign again and sign in your wallet.',
    ],
    es: [
      'Quien paga tiene que firmar antes de bloquear la recompensa.',
      'No se ha pagado nada. Asigna de nuevo y firma en tu cartera.',
    ],
  },
  INSUFFICIENT_FUNDS: {
    en: [
      'Your wallet does not hold enough for the bounty.',
      'Nothing was paid. Add USDC to it on the network of the task and try again.',
    ],
    es: [
      'Tu cartera no tiene suficiente para la recompensa.',
      'No se ha pagado nada. Añade USDC en la red de la tarea e inténtalo de nuevo.',
    ],
  },
  FEE_UNPAID: {
    en: [
      'You still owe the fee of an earlier task.',
      'Nothing was published. Its worker was paid, but the fee could not be collected from your wallet.',
    ],
    es: [
      'Aún debes la comisión de una tarea anterior.',
      'No se ha publicado nada. Su trabajo se pagó, pero la comisión no se pudo cobrar de tu cartera.',
    ],
  },
  FEE_NOT_OWED: {
    en: ['This task has no unpaid fee.', 'There is nothing left to do.'],
    es: ['No falta pagar ninguna comisión de esta tarea.', 'No queda nada por hacer.'],
  },
  LOCK_REVERTED: {
    en: [
      'The chain did not lock the bounty.',
      'Your money stayed with you. Sign once more; if it fails again, check your balance.',
    ],
    es: [
      'La cadena no ha bloqueado la recompensa.',
      'Tu dinero sigue contigo. Firma otra vez; si vuelve a fallar, comprueba tu saldo.',
    ],
  },
  INVALID_SIGNATURE: {
    en: [
      'The payment was signed by another wallet, or for other terms.',
      'Nothing was paid. Choose the account that pays in your wallet and sign again.',
    ],
    es: [
      'El pago no lo ha firmado quien paga, o lo ha firmado con otras condiciones.',
      'No se ha pagado nada. Elige en tu cartera la cuenta que paga y firma de nuevo.',
    ],
  },
  OPERATOR_MISMATCH: {
    en: [
      'The payment was signed for another service than this one.',
      'Nothing was paid. Reload the page and sign again.',
    ],
    es: ['El pago se ha firmado para otro servicio.', 'No se ha pagado nada. Recarga la página y firma de nuevo.'],
  },
  FORBIDDEN_RECEIVER: {
    en: [
      'The payment you signed does not go to the person you chose.',
      'Nothing was paid. Reload the page, compare the address and sign again.',
    ],
    es: [
      'El pago firmado es para alguien distinto de la persona asignada.',
      'No se ha pagado nada. Recarga la página, compara la dirección y firma de nuevo.',
    ],
  },
  AMOUNT_MISMATCH: {
    en: ['The amount you signed is not the bounty.', 'Nothing was paid. Reload the page and sign again.'],
    es: ['El importe firmado no es el de la recompensa.', 'No se ha pagado nada. Recarga la página y firma de nuevo.'],
  },
  PAYMENT_AUTH_USED: {
    en: [
      'The payment was signed for another task.',
      'Nothing was paid for this one. Assign again and sign in your wallet.',
    ],
    es: [
      'El pago se ha firmado para otra tarea.',
      'Por esta no se ha pagado nada. Asigna de nuevo y firma en tu cartera.',
    ],
  },
  SELF_PAYMENT_BLOCKED: {
    en: ['You cannot pay yourself.', 'Use two different wallets for the publisher and the worker.'],
    es: ['No puedes pagarte a ti.', 'Usa dos carteras distintas para publicar y para trabajar.'],
  },
  ESCROW_NOT_RELEASABLE: {
    en: ['No money is held for this task that could be paid out.', 'Reload the task to see where the bounty is.'],
    es: [
      'No hay dinero depositado en esta tarea que se pueda pagar.',
      'Recarga la tarea para ver dónde está la recompensa.',
    ],
  },
  ESCROW_NOT_REFUNDABLE: {
    en: ['No money is held for this task that could be given back.', 'Reload the task to see where the bounty is.'],
    es: [
      'No hay dinero depositado en esta tarea que se pueda devolver.',
      'Recarga la tarea para ver dónde está la recompensa.',
    ],
  },
  AUTHORIZATION_EXPIRED: {
    en: [
      'The time in which the bounty could be paid out is over.',
      'The money is safe: whoever paid can take it back from the task’s page.',
    ],
    es: [
      'Ha terminado el plazo para pagar la recompensa.',
      'El dinero está a salvo: quien pagó puede recuperarlo desde la página de la tarea.',
    ],
  },
  WORKER_WALLET_MISSING: {
    en: ['The worker has no payout address yet.', 'Nothing was paid. The worker adds one on their profile.'],
    es: ['Quien trabaja aún no tiene dirección de cobro.', 'No se ha pagado nada. Se añade en su perfil.'],
  },
  WORKER_WALLET_INVALID: {
    en: [
      'The worker’s payout address is not a valid one.',
      'Nothing was paid. The worker corrects it on their profile.',
    ],
    es: ['La dirección de cobro de quien trabaja no es válida.', 'No se ha pagado nada. Se corrige en su perfil.'],
  },
  PAYMENT_AUTH_MISSING: {
    en: ['The payment has not been signed yet.', 'Nothing was paid. Start again and sign in your wallet.'],
    es: ['El pago todavía no está firmado.', 'No se ha pagado nada. Empieza de nuevo y firma en tu cartera.'],
  },
  ESCROW_STATE_MISSING: {
    en: [
      'The service has lost track of how this bounty was locked.',
      'The money lies safely on the chain. Write to the operator.',
    ],
    es: [
      'El servicio no encuentra cómo se bloqueó esta recompensa.',
      'El dinero está a salvo en la cadena. Escribe al operador.',
    ],
  },
  PAYOUT_NON_POSITIVE: {
    en: ['After the fee nothing would be left for the worker.', 'Cancel the task and publish it with a higher bounty.'],
    es: [
      'Tras la comisión no quedaría nada para quien trabaja.',
      'Cancela la tarea y publícala con una recompensa mayor.',
    ],
  },
  LIFECYCLE_ORDER_REQUIRED: {
    en: [
      'The payer still has to sign that the bounty is paid out.',
      'The money has not moved. Try again and sign in your wallet.',
    ],
    es: [
      'Quien paga todavía tiene que firmar la liberación de la recompensa.',
      'El dinero no se ha movido. Inténtalo de nuevo y firma en tu cartera.',
    ],
  },
  LIFECYCLE_ORDER_INVALID: {
    en: [
      'The signature for paying out was not accepted.',
      'The money has not moved. Try again with the account that paid.',
    ],
    es: [
      'No se ha aceptado la firma para liberar la recompensa.',
      'El dinero no se ha movido. Inténtalo de nuevo con la cuenta que pagó.',
    ],
  },
  APPROVAL_INVALID: {
    en: [
      'The signature of your approval was not accepted.',
      'The money has not moved. Approve again and sign once more.',
    ],
    es: ['No se ha aceptado la firma de tu aprobación.', 'El dinero no se ha movido. Aprueba y firma de nuevo.'],
  },
  SDK_UNAVAILABLE: {
    en: ['Payments do not work at the moment.', 'The money has not moved. Try again in a few minutes.'],
    es: ['Los pagos no funcionan en este momento.', 'El dinero no se ha movido. Inténtalo de nuevo en unos minutos.'],
  },
  TX_HASH_MISSING: {
    en: [
      'The payment was sent, but it is not known yet what became of it on the chain.',
      'Look at the payments of the task before trying again.',
    ],
    es: [
      'El pago se ha enviado, pero aún no se sabe dónde está en la cadena.',
      'Mira los pagos de la tarea antes de repetir.',
    ],
  },
  SETTLEMENT_FAILED: {
    en: ['The payment did not go through.', 'The work is still there to be approved. Try again in a minute.'],
    es: ['El pago no se ha completado.', 'La entrega sigue lista para aprobarse. Inténtalo de nuevo en un minuto.'],
  },
  REFUND_FAILED: {
    en: ['The money could not be given back yet.', 'The task is as it was. Try again in a minute.'],
    es: ['Todavía no se ha podido devolver el dinero.', 'La tarea sigue como estaba. Inténtalo de nuevo en un minuto.'],
  },
  RATING_REFUSED: {
    en: ['The chain did not take your rating.', 'Start the rating again.'],
    es: ['La cadena no ha aceptado tu valoración.', 'Empieza la valoración de nuevo.'],
  },
  RATING_UNAVAILABLE: {
    en: ['Ratings cannot be passed on right now.', 'Try again in a moment.'],
    es: ['Ahora mismo no se pueden enviar valoraciones.', 'Inténtalo de nuevo en un momento.'],
  },
  REGISTRATION_FAILED: {
    en: ['Your public identity could not be created.', 'Try again in a minute; it costs you nothing.'],
    es: ['No se ha podido crear tu identidad pública.', 'Inténtalo de nuevo en un minuto; no te cuesta nada.'],
  },
  GAS_BUDGET_SPENT: {
    en: ['The operator pays no more network fees of this kind today.', 'Come back tomorrow. Your money is untouched.'],
    es: ['Hoy el operador ya no paga más comisiones de red de este tipo.', 'Vuelve mañana. Tu dinero no se ha movido.'],
  },
  CHAIN_UNAVAILABLE: {
    en: ['The chain does not answer right now.', 'Your money is where it was. Try again in a moment.'],
    es: ['La cadena no responde ahora mismo.', 'Tu dinero está donde estaba. Inténtalo de nuevo en un momento.'],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
