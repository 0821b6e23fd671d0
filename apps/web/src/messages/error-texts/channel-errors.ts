import type { ErrorRow } from './error-text.ts'

/** Channels that pay for work by the unit. Each says where the money is. */
export const channelErrors = {
  NO_PAYEE_RESOLVED: {
    en: [
      'This task has no payee yet.',
      'Nothing was paid. Choose a worker first, and ask them to set a Solana address.',
    ],
    es: [
      'Aún no se sabe a quién pagaría esta tarea.',
      'No se ha pagado nada. Elige primero a quien trabaja y pídele que indique una dirección de Solana.',
    ],
  },
  CHANNEL_NOT_YOURS: {
    en: ['Another wallet opened this channel.', 'Nothing was paid. Use the channel that you opened yourself.'],
    es: ['Este canal lo abrió otra cartera.', 'No se ha pagado nada. Usa el canal que abriste tú.'],
  },
  CHANNEL_NOT_ON_CHAIN: {
    en: ['There is no such channel.', 'Nothing was paid. Open the channel first and wait until it is confirmed.'],
    es: ['Ese canal no existe.', 'No se ha pagado nada. Abre primero el canal y espera a que se confirme.'],
  },
  CHANNEL_NOT_REUSABLE: {
    en: ['This channel cannot fund this task.', 'Look at the task: it may be funded already. Else open a new channel.'],
    es: [
      'Este canal no puede financiar esta tarea.',
      'Mira la tarea: puede que ya tenga fondos. Si no, abre un canal nuevo.',
    ],
  },
  CHANNEL_EXPIRED: {
    en: ['This task takes no more metered work.', 'Stop working on it. What was accepted so far is paid.'],
    es: ['Esta tarea ya no admite más trabajo medido.', 'Deja de trabajar en ella. Lo aceptado hasta ahora se paga.'],
  },
  no_channel_bound: {
    en: ['This task is not funded yet.', 'Nothing was counted. Wait until its publisher has funded it.'],
    es: ['Esta tarea aún no tiene fondos.', 'No se ha contado nada. Espera a que quien la publicó la financie.'],
  },
  SESSION_CAP_EXCEEDED: {
    en: [
      'A limit is reached.',
      'Nothing more is charged. What was accepted is paid. To begin anew, ask for less, or end another session first.',
    ],
    es: [
      'Se ha alcanzado un límite.',
      'No se cobra nada más. Lo aceptado se paga. Para empezar otra vez, pide menos o termina antes otra sesión.',
    ],
  },
  channel_unreadable: {
    en: ['The channel cannot be read right now.', 'Your money is where it was. Try again in a moment.'],
    es: ['El canal no se puede leer ahora mismo.', 'Tu dinero está donde estaba. Inténtalo de nuevo en un momento.'],
  },
  WORKER_USDC_ATA_MISSING: {
    en: [
      'The worker cannot be paid at their address yet.',
      'Nothing was paid. The worker has to open a USDC account at their Solana address.',
    ],
    es: [
      'Aún no se puede pagar a quien trabaja en su dirección.',
      'No se ha pagado nada. Quien trabaja debe abrir una cuenta de USDC en su dirección de Solana.',
    ],
  },
  WORKER_USDC_ATA_UNVERIFIABLE: {
    en: ["The worker's account cannot be checked right now.", 'Your money is where it was. Try again in a moment.'],
    es: [
      'La cuenta de quien trabaja no se puede comprobar ahora mismo.',
      'Tu dinero está donde estaba. Inténtalo de nuevo en un momento.',
    ],
  },
} as const satisfies Record<string, ErrorRow>
