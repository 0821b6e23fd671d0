import { defineMessages } from '../../lib/messages.ts'

export const assignMessages = defineMessages({
  en: {
    signedOut: 'Here is what you published.', notYours: 'This task is somebody else’s. You can read its public page.', see: 'See the task', instructions: 'What has to be done', evidence: 'To hand in', network: 'Network', deadline: 'Expires', bounty: 'Bounty', publicPage: 'Public page', review: 'Review the work',
    applicants: 'Who applied', none: 'Nobody has applied yet.', noneHelp: 'Send the address of the public page to whoever could do it; new applicants show up here by themselves.', count: '{n, plural, one {One application} other {# applications}}',
    person: 'Applicant', reputation: 'Reputation', completed: 'Tasks done', rating: 'Ratings', correlation: 'Counterparties', note: 'Note', applied: 'Applied', choose: 'Choose', profile: 'Profile', wallet: 'Wallet', caption: 'Applicants side by side',
    flagged: '{with, number} of {total, number} tasks were for you or one other publisher: weigh the score accordingly.', clear: '{distinct, plural, one {one publisher} other {# publishers}} so far', noHistory: 'no history yet', outOf100: '{score} of 100', outOf5: '{score} of 5',
    assignTitle: 'Choose this worker?', assignSays: 'You sign once. {amount} is locked in escrow for this worker. It is paid out only when you approve the work or an arbiter decides; otherwise it goes back to you.', assignTo: 'Lock {amount} for {worker}', confirm: 'Choose and lock the bounty',
    locking: 'The bounty is being locked on chain. This takes a few seconds; you may leave this page.', locked: 'The bounty is locked, and the worker has been told.', chosen: 'Chosen worker', escrow: 'Escrow', lockTx: 'Lock', payTx: 'Payment', refundTx: 'Refund',
    cancel: 'Cancel the task', cancelTitle: 'Cancel this task?', cancelSays: 'Applicants are told. A locked bounty is sent back to you first.', cancelled: 'The task is cancelled.', reason: 'Why (the applicants read it)', keep: 'Keep it',
  },
  es: {
    signedOut: 'Aquí está lo que has publicado.', notYours: 'Esta tarea es de otra persona. Puedes leer lo que es público.', see: 'Ver la tarea', instructions: 'Qué hay que hacer', evidence: 'Qué hay que entregar', network: 'Red', deadline: 'Caduca', bounty: 'Recompensa', publicPage: 'Página pública', review: 'Revisar el trabajo',
    applicants: 'Quién se ha presentado', none: 'Nadie se ha presentado todavía.', noneHelp: 'Manda la dirección de la página pública a quien pueda hacerla; las candidaturas nuevas aparecen aquí solas.', count: '{n, plural, one {Una candidatura} other {# candidaturas}}',
    person: 'Candidatura', reputation: 'Reputación', completed: 'Tareas hechas', rating: 'Valoraciones', correlation: 'Contrapartes', note: 'Nota', applied: 'Presentada', choose: 'Elegir', profile: 'Perfil', wallet: 'Cartera', caption: 'Candidaturas una al lado de otra',
    flagged: '{with, number} de {total, number} tareas fueron para ti o para una sola persona: tenlo en cuenta al valorar la puntuación.', clear: '{distinct, plural, one {una contraparte} other {# contrapartes distintas}} hasta ahora', noHistory: 'sin historial', outOf100: '{score} de 100', outOf5: '{score} de 5',
    assignTitle: '¿Elegir a esta persona?', assignSays: 'Firmas una vez. {amount} quedan bloqueados para ella. Solo se pagan cuando apruebas el trabajo o lo decide quien arbitra; si no, vuelven a ti.', assignTo: 'Bloquear {amount} para {worker}', confirm: 'Elegir y bloquear la recompensa',
    locking: 'La recompensa se está bloqueando en la cadena. Tarda unos segundos; puedes salir de esta página.', locked: 'La recompensa está bloqueada y la persona está avisada.', chosen: 'Persona elegida', escrow: 'Depósito', lockTx: 'Bloqueo', payTx: 'Pago', refundTx: 'Devolución',
    cancel: 'Cancelar la tarea', cancelTitle: '¿Cancelar esta tarea?', cancelSays: 'Se avisa a quienes se han presentado. Una recompensa bloqueada vuelve antes a ti.', cancelled: 'La tarea está cancelada.', reason: 'Por qué (lo leen quienes se han presentado)', keep: 'Conservarla',
  },
})
