import { defineMessages } from '../../lib/messages.ts'

export const myTasksMessages = defineMessages({
  en: {
    title: 'My tasks', lead: 'What you published, whose turn it is, and how long there is.', publish: 'Publish a task', spend: 'Spending', signedOut: 'Here are the tasks you publish.', none: 'No task here yet.', filter: 'Show', 'filter.all': 'All', 'filter.open': 'Open', 'filter.running': 'Being done', 'filter.review': 'To review', 'filter.over': 'Over',
    total: '{n, plural, =0 {No tasks} one {One task} other {# tasks}}', bounty: 'Bounty', choose: '{n, plural, one {Look at the applicant} other {Choose of # applicants}}', review: 'Review', manage: 'Open', bySoftware: 'Published by your software: decided by its signature',
  },
  es: {
    title: 'Mis tareas', lead: 'Lo que has publicado, a quién le toca y cuánto tiempo queda.', publish: 'Publicar una tarea', spend: 'Gastos', signedOut: 'Aquí están las tareas que publicas.', none: 'Aquí no hay ninguna tarea todavía.', filter: 'Mostrar', 'filter.all': 'Todas', 'filter.open': 'Abiertas', 'filter.running': 'En curso', 'filter.review': 'Por revisar', 'filter.over': 'Terminadas',
    total: '{n, plural, =0 {Ninguna tarea} one {Una tarea} other {# tareas}}', bounty: 'Recompensa', choose: '{n, plural, one {Ver la candidatura} other {Elegir entre # candidaturas}}', review: 'Revisar', manage: 'Abrir', bySoftware: 'Publicada por tu software: se decide con su firma',
  },
})
