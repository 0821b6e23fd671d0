import type { ErrorRow } from './error-text.ts'

/** What was asked for is not there. */
export const thingErrors = {
  NOT_FOUND: {
    en: ['There is nothing here.', 'Check the link, or go back to the start.'],
    es: ['Aquí no hay nada.', 'Comprueba el enlace o vuelve al inicio.'],
  },
  TASK_NOT_FOUND: {
    en: ['There is no such task.', 'Check the link. Tasks that are over may not be shown to everybody.'],
    es: ['Esta tarea no existe.', 'Comprueba el enlace. Las tareas terminadas no siempre se muestran a todo el mundo.'],
  },
  SUBMISSION_NOT_FOUND: {
    en: ['There is no such submission.', 'Check the link, or find it in the task.'],
    es: ['Esta entrega no existe.', 'Comprueba el enlace o búscala en la tarea.'],
  },
  WORKER_NOT_FOUND: {
    en: ['There is nobody here by that name.', 'Check the link. If it is about you, fill in your profile first.'],
    es: ['No hay nadie con ese nombre.', 'Comprueba el enlace. Si se trata de ti, completa antes tu perfil.'],
  },
  LISTING_NOT_FOUND: {
    en: ['There is no such service.', 'Look through the services that are offered now.'],
    es: ['Este servicio no existe.', 'Mira los servicios que se ofrecen ahora.'],
  },
  ESCROW_NOT_FOUND: {
    en: ['No money is held for this task.', 'The money is set aside when a person is chosen. Look at the task again.'],
    es: [
      'No hay dinero depositado para esta tarea.',
      'La recompensa se bloquea al asignar a alguien; vuelve a mirar la tarea.',
    ],
  },
  LOCATION_NOT_FOUND: {
    en: ['This task names no place.', 'It may be done anywhere.'],
    es: ['Esta tarea no indica ningún lugar.', 'Puede hacerse en cualquier sitio.'],
  },
  FEEDBACK_NOT_FOUND: {
    en: ['Nobody has rated this task yet.', 'Ratings appear here once they are given.'],
    es: ['Nadie ha valorado aún esta tarea.', 'Las valoraciones aparecerán aquí cuando las haya.'],
  },
  IDENTITY_NOT_FOUND: {
    en: ['There is no such public identity.', 'Check the number. You create your own on your profile.'],
    es: ['Esta identidad pública no existe.', 'Comprueba el número. La tuya se crea en tu perfil.'],
  },
  DISPUTE_NOT_FOUND: {
    en: [
      'There is no such dispute, or it is not yours to see.',
      'Check the link, or look at the list of your disputes.',
    ],
    es: ['Esta disputa no existe o no te corresponde verla.', 'Comprueba el enlace o mira la lista de tus disputas.'],
  },
  WEBHOOK_NOT_FOUND: {
    en: ['You have no such webhook.', 'Look at the list of yours.'],
    es: ['No tienes ese webhook.', 'Mira la lista de los tuyos.'],
  },
  GRANT_NOT_FOUND: {
    en: ['You have no such tool.', 'Look at the list of your connected tools.'],
    es: ['No tienes esa herramienta.', 'Mira la lista de tus herramientas conectadas.'],
  },
  DELIVERY_NOT_FOUND: {
    en: ['There is no such delivery.', 'Look at the deliveries of the webhook; old ones are cleared away.'],
    es: ['Este envío no existe.', 'Mira los envíos del webhook; los antiguos se borran.'],
  },
  EVENTS_FORGOTTEN: {
    en: ['What happened back then is no longer kept.', 'Load the page again to go on from now.'],
    es: ['Lo que pasó entonces ya no se conserva.', 'Vuelve a cargar la página para seguir desde ahora.'],
  },
  EVIDENCE_TAKEN_DOWN: {
    en: ['The operator has deleted this file.', 'Its hash is kept with the submission.'],
    es: ['El operador ha borrado este archivo.', 'Su huella se conserva con la entrega.'],
  },
  TASK_GONE: {
    en: ['This task is over.', 'Nothing changes here any more; look for another one.'],
    es: ['Esta tarea ha terminado.', 'Aquí ya no cambia nada; busca otra.'],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
