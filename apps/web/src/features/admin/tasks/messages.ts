import { defineMessages } from '../../../lib/messages.ts'

export const adminTaskMessages = defineMessages({
  en: {
    title: 'Tasks', lead: 'Every task in every status, also what no list shows.',
    status: 'Status', searchHint: 'Part of a title, or a whole id or wallet of publisher or worker.',
    found: '{n, plural, one {# task} other {# tasks}}', none: 'No task is like this.', noneAtAll: 'Nobody has published a task yet.',
    publisher: 'Publisher', worker: 'Worker', noWorker: 'Nobody yet', bounty: 'Bounty', money: 'Money', network: 'Network', published: 'Published', changed: 'Last changed', deadline: 'Deadline', id: 'ID', force: 'Change the status', audit: 'Audit log',
    'escrow.none': 'No escrow', 'escrow.pending_assignment': 'Not locked yet', 'escrow.authorizing': 'Being locked', 'escrow.authorized': 'Locked in escrow', 'escrow.releasing': 'Being paid out', 'escrow.released': 'Paid out', 'escrow.refunding': 'On its way back', 'escrow.refunded': 'Back with the publisher',
    forceTitle: 'Change the status by hand', forceSays: 'For a task that is stuck. The service refuses a status that would say of the money what did not happen; what is held goes back first.',
    forceNone: 'This status cannot be changed by hand. What is over stays over, and a payment under way ends by itself.', forceGone: 'There is no task with this ID.',
    to: 'New status', choose: 'Choose a status', toMissing: 'Choose the new status.',
    'to.published': 'The draft stands open on the list, for anybody to apply.', 'to.cancelled': 'The work ends. What is locked goes back to the publisher, and then the task counts as cancelled.',
    'to.expired': 'The work ends at once, an open dispute too. What is locked goes back to the publisher; the worker gets nothing.', 'to.disputed': 'A dispute opens about the submission with your reason; the bounty waits until an arbiter decides.',
    confirm: 'To confirm, type {code}', confirmHint: 'The first eight characters of the task’s ID.', confirmWrong: 'This is not {code}.',
    send: 'Change the status', forced: 'The status is changed.', moving: 'The refund is on its way; the status follows it.', unchanged: 'The task stood there already. Nothing was changed.',
  },
  es: {
    title: 'Tareas', lead: 'Todas las tareas en cualquier estado, también las que no salen en ninguna lista.',
    status: 'Estado', searchHint: 'Parte de un título, o un ID o cartera completos de quien publica o trabaja.',
    found: '{n, plural, one {# tarea} other {# tareas}}', none: 'Ninguna tarea es así.', noneAtAll: 'Nadie ha publicado aún ninguna tarea.',
    publisher: 'Publica', worker: 'Trabaja', noWorker: 'Nadie todavía', bounty: 'Recompensa', money: 'Dinero', network: 'Red', published: 'Publicada', changed: 'Último cambio', deadline: 'Plazo', id: 'ID', force: 'Cambiar el estado', audit: 'Registro de auditoría',
    'escrow.none': 'Sin depósito', 'escrow.pending_assignment': 'Aún sin bloquear', 'escrow.authorizing': 'Bloqueándose', 'escrow.authorized': 'Bloqueado en depósito', 'escrow.releasing': 'Pagándose', 'escrow.released': 'Pagado', 'escrow.refunding': 'Volviendo', 'escrow.refunded': 'De vuelta con quien publicó',
    forceTitle: 'Cambiar el estado a mano', forceSays: 'Para una tarea atascada. El servicio rechaza un estado que diga del dinero algo que no ha ocurrido; lo retenido vuelve antes.',
    forceNone: 'Este estado no se puede cambiar a mano. Lo terminado queda terminado, y un pago en curso acaba solo.', forceGone: 'No hay ninguna tarea con este ID.',
    to: 'Estado nuevo', choose: 'Elige un estado', toMissing: 'Elige el estado nuevo.',
    'to.published': 'El borrador queda abierto en la lista y cualquiera puede presentarse.', 'to.cancelled': 'El trabajo termina. Lo bloqueado vuelve a quien publicó, y entonces la tarea cuenta como cancelada.',
    'to.expired': 'El trabajo termina de inmediato, y con él la disputa abierta. Lo bloqueado vuelve a quien publicó; quien trabajó no cobra.', 'to.disputed': 'Se abre una disputa sobre la entrega con tu motivo; la recompensa espera a que decida un árbitro.',
    confirm: 'Para confirmar, escribe {code}', confirmHint: 'Los primeros ocho caracteres del ID de la tarea.', confirmWrong: 'Esto no es {code}.',
    send: 'Cambiar el estado', forced: 'El estado ha cambiado.', moving: 'El reembolso está en camino; el estado lo seguirá.', unchanged: 'La tarea ya estaba ahí. No se ha cambiado nada.',
  },
})
