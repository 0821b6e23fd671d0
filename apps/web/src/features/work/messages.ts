import { defineMessages } from '../../lib/messages.ts'

export const workMessages = defineMessages({
  en: {
    title: 'My work', lead: 'Tasks you do, what you applied for and what you handed in.', find: 'Find tasks', signedOut: 'Here are the tasks you work on.',
    show: 'Show', 'show.tasks': 'Assigned', 'show.applications': 'Applied for', 'show.submissions': 'Handed in',
    noTasks: 'Nothing is assigned to you.', noApplications: 'You have not applied for a task yet.', noSubmissions: 'You have not handed in anything yet.',
    do: 'Do it and hand in', again: 'Hand in again', see: 'See the task', seeSubmission: 'See what you handed in', changes: 'The publisher asked for changes: {reason}',
    applied: 'Applied {when}', handedIn: 'Handed in {when}', 'application.pending': 'Waiting for the publisher', 'application.accepted': 'Chosen', 'application.rejected': 'Not chosen', 'application.withdrawn': 'Withdrawn',
    'submission.pending_review': 'The publisher’s turn', 'submission.approved': 'Approved', 'submission.rejected': 'Not accepted', checking: 'Checks are running', ready: 'Checks are done',
  },
  es: {
    title: 'Mi trabajo', lead: 'Las tareas que haces, a las que te has presentado y lo que has entregado.', find: 'Buscar tareas', signedOut: 'Aquí están las tareas en las que trabajas.',
    show: 'Mostrar', 'show.tasks': 'Asignadas', 'show.applications': 'Candidaturas', 'show.submissions': 'Entregas',
    noTasks: 'No tienes ninguna tarea asignada.', noApplications: 'Todavía no te has presentado a ninguna tarea.', noSubmissions: 'Todavía no has entregado nada.',
    do: 'Hacer y entregar', again: 'Entregar de nuevo', see: 'Ver la tarea', seeSubmission: 'Ver lo entregado', changes: 'Quien publica ha pedido cambios: {reason}',
    applied: 'Te presentaste {when}', handedIn: 'Entregaste {when}', 'application.pending': 'Esperando a quien publica', 'application.accepted': 'Elegida', 'application.rejected': 'No elegida', 'application.withdrawn': 'Retirada',
    'submission.pending_review': 'Le toca a quien publica', 'submission.approved': 'Aprobada', 'submission.rejected': 'No aceptada', checking: 'Las comprobaciones están en marcha', ready: 'Comprobaciones terminadas',
  },
})
