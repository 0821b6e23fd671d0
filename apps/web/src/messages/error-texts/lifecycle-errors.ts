import type { ErrorRow } from './error-text.ts'

/** A task, a submission, a dispute or a listing has moved on. */
export const lifecycleErrors = {
  already_applied: {
    en: [
      'You have applied to this task already.',
      'There is nothing left to do; you will be told when the publisher decides.',
    ],
    es: [
      'Ya has presentado tu candidatura a esta tarea.',
      'No tienes que hacer nada más; te avisaremos cuando haya una decisión.',
    ],
  },
  TASK_NOT_OPEN: {
    en: ['This task takes no applications now.', 'Look for another one.'],
    es: ['Esta tarea no admite candidaturas ahora.', 'Busca otra.'],
  },
  TASK_NOT_ASSIGNABLE: {
    en: [
      'Nobody can be assigned to this task now.',
      'Reload the task; it may have been assigned, cancelled or have expired.',
    ],
    es: [
      'Ahora no se puede asignar a nadie a esta tarea.',
      'Recarga la tarea; puede que esté asignada, cancelada o caducada.',
    ],
  },
  WORKER_NOT_APPLIED: {
    en: ['This person has not applied, or has withdrawn.', 'Choose from the list of applicants.'],
    es: ['Esta persona no se ha presentado o se ha retirado.', 'Elige a alguien de la lista de candidaturas.'],
  },
  ESCROW_NOT_ASSIGNABLE: {
    en: [
      'The bounty of this task is being locked, or is locked already.',
      'Wait about ten seconds and look at the task before trying again. Nothing is locked twice.',
    ],
    es: [
      'La recompensa de esta tarea se está bloqueando o ya está bloqueada.',
      'Espera unos diez segundos y mira la tarea antes de repetir. Nada se bloquea dos veces.',
    ],
  },
  TASK_NOT_SUBMITTABLE: {
    en: [
      'This task takes no submission now.',
      'Reload the task and see whose turn it is. What you prepared is kept here.',
    ],
    es: [
      'Esta tarea no admite entregas ahora.',
      'Recarga la tarea y mira a quién le toca. Lo que has preparado se conserva aquí.',
    ],
  },
  DEADLINE_PASSED: {
    en: ['The deadline of this task has passed.', 'Look at the task to see how it ended.'],
    es: ['El plazo de esta tarea ha terminado.', 'Mira la tarea para ver cómo ha acabado.'],
  },
  SUBMISSION_NOT_REVIEWABLE: {
    en: ['This submission takes no decision now.', 'Reload the page: it was decided, or the time of the task is over.'],
    es: [
      'Esta entrega no admite una decisión ahora.',
      'Recarga la página: ya se decidió, o el plazo de la tarea ha terminado.',
    ],
  },
  APPROVAL_IN_FLIGHT: {
    en: [
      'A decision about this submission is being carried out.',
      'Wait about ten seconds and look again. Nothing is paid twice.',
    ],
    es: [
      'Se está ejecutando una decisión sobre esta entrega.',
      'Espera unos diez segundos y vuelve a mirar. Nada se paga dos veces.',
    ],
  },
  TASK_NOT_CANCELLABLE: {
    en: [
      'This task cannot be cancelled now.',
      'Reload the task; once work is in review you decide about the submission instead.',
    ],
    es: [
      'Esta tarea no se puede cancelar ahora.',
      'Recarga la tarea; cuando hay una entrega en revisión, decides sobre ella.',
    ],
  },
  TASK_NOT_WITHDRAWABLE: {
    en: [
      'You cannot step down from this task now.',
      'Look at the task: your work is in review, you are paid by the unit, or it is over.',
    ],
    es: [
      'Ahora no puedes retirarte de esta tarea.',
      'Mira la tarea: tu trabajo está en revisión, se te paga por unidad o ya ha terminado.',
    ],
  },
  TASK_STATE_NOT_FORCEABLE: {
    en: [
      'The task cannot get this status: it would misstate what happened to the money.',
      'Cancel, expire or dispute it; work in review is decided in a dispute.',
    ],
    es: [
      'La tarea no puede pasar a ese estado: diría del dinero algo que no ha ocurrido.',
      'Cancélala, hazla caducar o abre una disputa; el trabajo en revisión se decide en la disputa.',
    ],
  },
  WORKER_BLOCKED: {
    en: ['This person may not use the service, so no work begins with them.', 'Choose another person.'],
    es: ['Esta persona no puede usar el servicio, así que no se empieza ningún trabajo con ella.', 'Elige a otra.'],
  },
  OFFER_NOT_FOUND: {
    en: ['There is no such offer.', 'Open the task and look at its offers.'],
    es: ['No existe esa propuesta.', 'Abre la tarea y mira sus propuestas.'],
  },
  OFFER_NOT_OPEN: {
    en: ['Nothing can be settled by this offer any more.', 'Reload the task to see how things are.'],
    es: ['Con esta propuesta ya no se puede acordar nada.', 'Recarga la tarea para ver cómo está todo.'],
  },
  PORTFOLIO_NOT_OPEN: {
    en: ['Asking to show this work, or answering that, is not possible now.', 'Reload the task to see how things are.'],
    es: ['Ahora no se puede pedir ni responder nada sobre este trabajo.', 'Recarga la tarea para ver cómo está todo.'],
  },
  SETTLEMENT_SIGNATURE_REQUIRED: {
    en: ['The settlement is not signed yet.', 'Nothing has changed. Try again and sign in your wallet.'],
    es: ['El acuerdo todavía no está firmado.', 'No ha cambiado nada. Inténtalo de nuevo y firma en tu cartera.'],
  },
  RULING_SIGNATURE_REQUIRED: {
    en: ['The ruling is not signed yet.', 'Nothing has changed. Try again and sign in your wallet.'],
    es: ['La resolución todavía no está firmada.', 'No ha cambiado nada. Inténtalo de nuevo y firma en tu cartera.'],
  },
  RULING_NOT_FOUND: {
    en: ['No arbiter has ruled on this dispute.', 'Wait for a ruling.'],
    es: ['Nadie ha arbitrado todavía esta disputa.', 'Espera a que se resuelva.'],
  },
  ARBITER_UNKNOWN: {
    en: ['This wallet may not rule on this task.', 'Use a wallet that the operator names as an arbiter.'],
    es: [
      'Esta cartera no puede resolver en esta tarea.',
      'Usa una cartera que el operador haya nombrado para arbitrar.',
    ],
  },
  DISPUTE_NOT_OPEN: {
    en: ['This dispute is closed.', 'Reload the page to see how it was decided.'],
    es: ['Esta disputa está cerrada.', 'Recarga la página para ver cómo se decidió.'],
  },
  TASK_NOT_EDITABLE: {
    en: [
      'People have applied already, so the task stays as it is.',
      'Cancel it and publish a new one if it has to change.',
    ],
    es: [
      'Ya hay candidaturas, así que la tarea se queda como está.',
      'Si tiene que cambiar, cancélala y publica otra.',
    ],
  },
  LISTING_PAUSED: {
    en: ['This service takes no orders at the moment.', 'Choose another one, or come back later.'],
    es: ['Este servicio no acepta encargos en este momento.', 'Elige otro o vuelve más tarde.'],
  },
  ALREADY_RATED: {
    en: ['You have already rated this task.', 'There is nothing left to do.'],
    es: ['Ya has valorado esta tarea.', 'No tienes que hacer nada más.'],
  },
  TASK_NOT_RATEABLE: {
    en: ['You can rate once the task is finished and paid.', 'Come back then.'],
    es: ['Podrás valorar cuando la tarea esté terminada y pagada.', 'Vuelve entonces.'],
  },
  WEBHOOK_CAP_REACHED: {
    en: ['You have 10 webhooks, which is the most a wallet can have.', 'Delete one and try again.'],
    es: ['Tienes 10 webhooks, el máximo por cartera.', 'Borra uno e inténtalo de nuevo.'],
  },
  WEBHOOK_NOT_VERIFIED: {
    en: ['This address has not confirmed yet that it wants events.', 'Verify it first.'],
    es: ['Esta dirección aún no ha confirmado que quiere recibir avisos.', 'Verifícala primero.'],
  },
  WEBHOOK_CHALLENGE_FAILED: {
    en: [
      'Your address did not answer the test with the right word.',
      'Let it answer with the token it was sent, and verify again.',
    ],
    es: [
      'Tu dirección no ha respondido a la prueba con la palabra correcta.',
      'Haz que conteste con el token recibido y verifica de nuevo.',
    ],
  },
  ACCOUNT_BUSY: {
    en: ['Work or money of yours is still under way.', 'Finish or cancel those tasks first, then ask again.'],
    es: ['Tienes trabajo o dinero en curso.', 'Termina o cancela antes esas tareas y vuelve a pedirlo.'],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>
