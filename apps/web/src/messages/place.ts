import { defineMessages } from '../lib/messages.ts'

/** Where a task is, where no distance is known. */
export const placeMessages = defineMessages({
  en: { placeAnywhere: 'Anywhere', within_: 'within {distance}' },
  es: { placeAnywhere: 'En cualquier sitio', within_: 'en un radio de {distance}' },
})
