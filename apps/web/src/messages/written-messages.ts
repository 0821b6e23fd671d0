import { defineMessages } from '../lib/messages.ts'

/** What one side wrote with a move of a task. */
export const writtenMessages = defineMessages({
  en: {
    assign: 'Note to the worker',
    approve: 'What the publisher wrote when it approved',
    cancel: 'Why it was cancelled',
    withdraw: 'Why the last worker stepped down',
  },
  es: {
    assign: 'Nota para quien trabaja',
    approve: 'Lo que se escribió al aprobar',
    cancel: 'Por qué se canceló',
    withdraw: 'Por qué se retiró la última persona',
  },
})
