import { defineMessages } from '../lib/messages.ts'

export const asAnotherMessages = defineMessages({
  en: { as: 'You are signed in as {wallet}.', another: 'Use another wallet' },
  es: { as: 'Has iniciado sesión como {wallet}.', another: 'Usar otra cartera' },
})
