import { defineMessages } from '../lib/messages.ts'

export const ownTaskMessages = defineMessages({
  en: { publicPage: 'Public page of the task' },
  es: { publicPage: 'Página pública de la tarea' },
})
