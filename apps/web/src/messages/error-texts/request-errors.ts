import type { ErrorRow } from './error-text.ts'

/** What was sent cannot be taken as it is. */
export const requestErrors = {
  MALFORMED_BODY: {
    en: ['What was sent could not be read.', 'Reload the page and try again.'],
    es: ['No se ha podido leer lo enviado.', 'Recarga la página e inténtalo de nuevo.'],
  },
  INVALID_PAYMENT_AUTH: {
    en: ['The payment signature could not be read.', 'Nothing was paid. Start again and sign once more.'],
    es: ['No se ha podido leer la firma del pago.', 'No se ha pagado nada. Empieza de nuevo y vuelve a firmar.'],
  },
  NETWORK_MISMATCH: {
    en: [
      'You signed for another network than the task’s.',
      'Nothing was paid. Switch your wallet to the network of the task and sign again.',
    ],
    es: [
      'Has firmado para una red distinta de la de la tarea.',
      'No se ha pagado nada. Cambia tu cartera a la red de la tarea y firma de nuevo.',
    ],
  },
  OWN_LISTING: {
    en: ['This service is your own.', 'Order from another person.'],
    es: ['Este servicio es tuyo.', 'Encárgaselo a otra persona.'],
  },
  METHOD_NOT_ALLOWED: {
    en: ['The service does not do that at this address.', 'Reload the page and try again.'],
    es: ['El servicio no hace eso en esta dirección.', 'Recarga la página e inténtalo de nuevo.'],
  },
  UNSUPPORTED_MEDIA_TYPE: {
    en: ['What was sent is of a kind the service does not read.', 'Reload the page and try again.'],
    es: ['Lo enviado es de un tipo que el servicio no lee.', 'Recarga la página e inténtalo de nuevo.'],
  },
  request_body_too_large: {
    en: ['That is too much to send at once.', 'Shorten the text, or add large files as evidence instead.'],
    es: ['Es demasiado para enviarlo de una vez.', 'Acorta el texto o añade los archivos grandes como prueba.'],
  },
  VALIDATION_FAILED: {
    en: [
      'Something in the form is not right yet.',
      'Correct the fields that are marked and send it again. What you typed is still there.',
    ],
    es: [
      'Hay algo en el formulario que aún no está bien.',
      'Corrige los campos marcados y envíalo de nuevo. Lo que has escrito sigue ahí.',
    ],
  },
  UNKNOWN_FIELD: {
    en: ['This page and the service are of different versions.', 'Reload the page. What you typed is kept.'],
    es: ['Esta página y el servicio son de versiones distintas.', 'Recarga la página. Lo que has escrito se conserva.'],
  },
  INVALID_BOUNTY: {
    en: [
      'The bounty is too small or too large, or has too many decimals.',
      'Choose an amount within the limits beside the field, with fewer decimals.',
    ],
    es: [
      'La recompensa es demasiado baja o demasiado alta, o tiene demasiados decimales.',
      'Elige un importe dentro de los límites indicados junto al campo, con menos decimales.',
    ],
  },
  sell_intent_rejected: {
    en: [
      'This reads like something you offer, and a task is something you buy.',
      'Offer it as a service, or apply to a task that is open. If you do pay for it, say so beside the check.',
    ],
    es: [
      'Parece algo que ofreces, y una tarea es algo que compras.',
      'Ofrécelo como servicio o presenta tu candidatura a una tarea abierta. Si de verdad lo pagas, dilo junto a la comprobación.',
    ],
  },
  price_mismatch: {
    en: [
      'The price of the service is not the one you saw.',
      'Look at the service again and order at its present price.',
    ],
    es: [
      'El precio del servicio no es el que has visto.',
      'Vuelve a mirar el servicio y encárgalo a su precio actual.',
    ],
  },
  NETWORK_NO_ESCROW: {
    en: ['On this network a bounty cannot be held safely until the work is approved.', 'Choose another network.'],
    es: ['En esta red no se puede guardar la recompensa hasta que se apruebe el trabajo.', 'Elige otra red.'],
  },
  NETWORK_NOT_ACCEPTED: {
    en: ['This network is not available here.', 'Choose one from the list.'],
    es: ['Esta red no está disponible aquí.', 'Elige una de la lista.'],
  },
  NETWORK_CLOSED: {
    en: [
      'On this network nothing new begins for now. What is open there goes on and ends.',
      'Choose another network, or wait until it is opened again.',
    ],
    es: [
      'Por ahora no empieza nada nuevo en esta red. Lo que está abierto en ella sigue y termina.',
      'Elige otra red o espera a que se vuelva a abrir.',
    ],
  },
  TOKEN_NOT_ACCEPTED: {
    en: ['This currency is not available on the network you chose.', 'Choose another currency or another network.'],
    es: ['Esta moneda no está disponible en la red elegida.', 'Elige otra moneda u otra red.'],
  },
  INVALID_REPUTATION_NETWORK: {
    en: ['This network does not accept new ratings.', 'Choose another network for ratings.'],
    es: ['Esta red no admite valoraciones nuevas.', 'Elige otra red para las valoraciones.'],
  },
  PAYOUT_PROOF_INVALID: {
    en: [
      'The signature does not prove that this payout address is yours.',
      'Open the wallet of that address and sign within ten minutes.',
    ],
    es: [
      'La firma no demuestra que esta dirección de cobro sea tuya.',
      'Abre la cartera de esa dirección y firma antes de diez minutos.',
    ],
  },
  IDEMPOTENCY_KEY_REUSED: {
    en: [
      'Something else was sent in the same step before.',
      'Reload the page, look whether it was done, and try again if not.',
    ],
    es: [
      'Antes se envió otra cosa en este mismo paso.',
      'Recarga la página, mira si ya está hecho e inténtalo de nuevo si no.',
    ],
  },
  IDEMPOTENCY_IN_FLIGHT: {
    en: ['This is already under way.', 'Wait a moment; it goes on by itself and is not done twice.'],
    es: ['Esto ya está en marcha.', 'Espera un momento; sigue solo y no se hará dos veces.'],
  },
  WEBHOOK_URL_REFUSED: {
    en: [
      'Nothing can be sent to this address.',
      'Use a public address that begins with https, on port 443 or 8443, without a user name or a #.',
    ],
    es: [
      'No se puede enviar nada a esta dirección.',
      'Usa una dirección pública que empiece por https, en el puerto 443 u 8443, sin nombre de usuario ni #.',
    ],
  },
  CONFIG_NOT_CHANGEABLE: {
    en: [
      'This setting cannot be changed while the service runs.',
      'Change one of the settings in the list; the fee belongs to the contracts.',
    ],
    es: [
      'Este ajuste no se puede cambiar con el servicio en marcha.',
      'Cambia uno de los ajustes de la lista; la comisión pertenece a los contratos.',
    ],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
