import type { ErrorRow } from './error-text.ts'

/** What goes wrong before anything is sent. */
export const faultTexts = {
  signing_refused: {
    en: ['You did not sign.', 'Nothing happened. Try again when you want to.'],
    es: ['No has firmado.', 'No ha pasado nada. Inténtalo de nuevo cuando quieras.'],
  },
  ChallengeMismatch: {
    en: [
      'The service asked you to sign something else than you agreed to.',
      'Nothing was signed. Reload the page and compare; tell the operator if it happens again.',
    ],
    es: [
      'El servicio pidió firmar algo distinto de lo acordado.',
      'No se ha firmado nada. Recarga la página y compara; avisa al operador si se repite.',
    ],
  },
  ClockOff: {
    en: [
      'The clock of this device is days off.',
      'Nothing was signed: what is signed says until when it counts. Set date and time, and do this again.',
    ],
    es: [
      'El reloj de este dispositivo va mal por días.',
      'No se ha firmado nada: lo que se firma dice hasta cuándo vale. Ajusta fecha y hora y hazlo otra vez.',
    ],
  },
  WalletMissing: {
    en: [
      'The wallet you signed in with is not in this browser now.',
      'Turn it on or unlock it and try again, or sign in again with a wallet that is here.',
    ],
    es: [
      'La cartera con la que iniciaste sesión no está ahora en este navegador.',
      'Actívala o desbloquéala y prueba otra vez, o inicia sesión con una cartera que esté aquí.',
    ],
  },
  OtherAccount: {
    en: [
      'Your wallet shows another account now.',
      'It shows {shown}. Choose {needed} there, the account you signed in with, and do this again.',
    ],
    es: [
      'Tu cartera muestra ahora otra cuenta.',
      'Muestra {shown}. Elige en ella {needed}, la cuenta con la que entraste, y hazlo otra vez.',
    ],
  },
  OtherSession: {
    en: [
      'Someone else signed in in another tab.',
      'Nothing was sent. A browser is signed in as one person at a time: look who it is, and do this again.',
    ],
    es: [
      'Otra persona inició sesión en otra pestaña.',
      'No se ha enviado nada. Un navegador tiene una sola sesión a la vez: mira de quién es y hazlo otra vez.',
    ],
  },
  WalletFailed: {
    en: [
      'The wallet could not do this.',
      'Nothing was signed. Look at the wallet itself: whether it is unlocked, on the right network, and asks something.',
    ],
    es: [
      'La cartera no ha podido hacerlo.',
      'No se ha firmado nada. Mira en la propia cartera si está desbloqueada, en la red correcta y si pregunta algo.',
    ],
  },
  WalletAsking: {
    en: [
      'Your wallet still asks you something.',
      'Nothing was signed. Open the wallet, answer what it asks, and do this again.',
    ],
    es: [
      'Tu cartera todavía te pregunta algo.',
      'No se ha firmado nada. Abre la cartera, responde a lo que pregunta y hazlo otra vez.',
    ],
  },
  odd_answer: {
    en: ['The service is in trouble.', 'Nothing that you typed is lost. Try again in a moment.'],
    es: [
      'El servicio tiene problemas.',
      'No se ha perdido nada de lo que escribiste. Inténtalo de nuevo en un momento.',
    ],
  },
  unknown: {
    en: ['This did not work.', 'Try again; reload the page if it happens twice.'],
    es: ['No ha funcionado.', 'Inténtalo de nuevo; recarga la página si se repite.'],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
