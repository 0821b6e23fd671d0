import { defineMessages } from '../lib/messages.ts'

/** How people, agents and robots are introduced. */
export const personMessages = defineMessages({
  en: {
    noName: 'No name yet',
    newHere: 'New here',
    fromRatings: 'from {count, plural, one {# rating} other {# ratings}}',
    'kind.human': 'Person',
    'kind.agent': 'AI agent',
    'kind.robot': 'Robot',
  },
  es: {
    noName: 'Aún sin nombre',
    newHere: 'Sin valorar',
    fromRatings: 'de {count, plural, one {# valoración} other {# valoraciones}}',
    'kind.human': 'Persona',
    'kind.agent': 'Agente de IA',
    'kind.robot': 'Robot',
  },
})
