import type { ErrorRow } from './error-text.ts'

/** Evidence, the service itself, and the way to it. */
export const serviceErrors = {
  EVIDENCE_MISSING: {
    en: [
      'Some of the proof that the task asks for is missing.',
      'Add what is marked and hand it in again. What you added is kept.',
    ],
    es: [
      'Falta alguna de las pruebas que pide la tarea.',
      'Añade lo marcado y entrégalo de nuevo. Lo que ya has añadido se conserva.',
    ],
  },
  EVIDENCE_INVALID: {
    en: ['One piece of evidence is not as it has to be.', 'Replace the one that is marked and hand it in again.'],
    es: ['Una de las pruebas no es como debe ser.', 'Cambia la que está marcada y entrégalo de nuevo.'],
  },
  UPLOAD_NOT_ALLOWED: {
    en: ['The place for this file was open only for a short time.', 'Add the file once more.'],
    es: ['El plazo para subir este archivo ha terminado.', 'Añade el archivo otra vez.'],
  },
  UPLOAD_QUOTA_EXCEEDED: {
    en: ['The files of this task take all the room there is for it.', 'Hand in what you have, or add smaller files.'],
    es: [
      'Los archivos de esta tarea ocupan todo el espacio que tiene.',
      'Entrega lo que tienes o añade archivos más pequeños.',
    ],
  },
  UPLOAD_BUDGET_SPENT: {
    en: ['No more files are taken today.', 'Hand in what you have, or add the file tomorrow.'],
    es: ['Hoy no se admiten más archivos.', 'Entrega lo que tienes o añade el archivo mañana.'],
  },
  UPLOAD_TYPE_REFUSED: {
    en: ['The file is not what its name says.', 'Choose a file of one of the kinds that the field names.'],
    es: ['El archivo no es lo que dice su nombre.', 'Elige un archivo de uno de los tipos que indica el campo.'],
  },
  FEATURE_DISABLED: {
    en: ['This is not offered here.', 'The operator of this site decides what is.'],
    es: ['Esto no se ofrece aquí.', 'Lo decide el operador de este sitio.'],
  },
  NOT_WIRED: {
    en: ['This is not set up here yet.', 'Ask the operator of this site if you need it.'],
    es: ['Esto aún no está configurado aquí.', 'Si lo necesitas, pregunta al operador de este sitio.'],
  },
  GEOCODER_UNAVAILABLE: {
    en: ['Addresses cannot be looked up right now.', 'Try again in a moment, or set the pin on the map.'],
    es: [
      'Ahora mismo no se pueden buscar direcciones.',
      'Inténtalo de nuevo en un momento o pon el marcador en el mapa.',
    ],
  },
  SERVICE_BUSY: {
    en: ['The service is busy.', 'Try again in a moment.'],
    es: ['El servicio está ocupado.', 'Inténtalo de nuevo en un momento.'],
  },
  OUTCOME_UNKNOWN: {
    en: ['It is not known yet whether this was done.', 'Look at it again in a moment before you repeat it.'],
    es: ['Todavía no se sabe si esto se ha hecho.', 'Vuelve a mirarlo en un momento antes de repetirlo.'],
  },
  INTERNAL: {
    en: ['Something went wrong on our side.', 'Try again in a minute. If you report it, give the ID shown here.'],
    es: [
      'Algo ha fallado por nuestra parte.',
      'Inténtalo de nuevo en un minuto. Si avisas, indica el ID que aparece aquí.',
    ],
  },
  SETTLEMENT_PENDING: {
    en: [
      'The payment is still on its way; nothing has failed.',
      'Look at it again in a minute. Doing it again does nothing twice.',
    ],
    es: ['El pago sigue en camino; nada ha fallado.', 'Vuelve a mirarlo en un minuto. Repetirlo no lo hace dos veces.'],
  },
  unreachable: {
    en: [
      'The service cannot be reached.',
      'Check your connection. Then look whether it was done before trying again; what you typed is kept.',
    ],
    es: [
      'No se puede contactar con el servicio.',
      'Comprueba tu conexión. Después mira si ya está hecho antes de repetir; lo que has escrito se conserva.',
    ],
  },
  timeout: {
    en: ['There is no answer yet.', 'It may still be done. Look at it again in a moment before you repeat it.'],
    es: ['Todavía no hay respuesta.', 'Puede que aún se haga. Vuelve a mirarlo en un momento antes de repetir.'],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
