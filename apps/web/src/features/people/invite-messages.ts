import { defineMessages } from '../../lib/messages.ts'

/** Asking a worker to look at a task. */
export const inviteMessages = defineMessages({
  en: {
    invite: 'Invite to a task',
    payTime: 'Pay for their time',
    title: 'Invite {name}',
    says: 'They are told about the task and can apply. You promise nothing, and no money moves.',
    task: 'Your open task',
    newest: 'The newest {n, number} of {total, number}.',
    none: 'You have no open task',
    noneSays: 'Publish one first, then invite.',
    publish: 'Publish a task',
    send: 'Send the invitation',
    sent: 'The invitation is on its way.',
  },
  es: {
    invite: 'Invitar a una tarea',
    payTime: 'Pagar por su tiempo',
    title: 'Invitar a {name}',
    says: 'Le avisamos de la tarea y puede presentarse. No prometes nada y no se mueve dinero.',
    task: 'Tu tarea abierta',
    newest: 'Las {n, number} más recientes de {total, number}.',
    none: 'No tienes ninguna tarea abierta',
    noneSays: 'Publica una primero y después invita.',
    publish: 'Publicar una tarea',
    send: 'Enviar la invitación',
    sent: 'La invitación está en camino.',
  },
})
