import { defineMessages } from '../../lib/messages.ts'

/** Who may decide a dispute, for the middle of a sentence (decision 0285). */
export const deciderMessages = defineMessages({
  en: {
    named: 'the arbiter of this task or the operator',
    any: 'an arbiter or the operator',
    operator: 'the operator',
  },
  es: {
    named: 'quien arbitra esta tarea o el operador',
    any: 'quien arbitra o el operador',
    operator: 'el operador',
  },
})
