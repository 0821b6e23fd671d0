import { useCallback } from 'react'
import { useMessages } from './i18n.tsx'
import { defineMessages } from './messages.ts'
import { titleOf, type Titled } from './session-task.ts'

const messages = defineMessages({
  en: { time: 'Time, paid as it passes' },
  es: { time: 'Tiempo pagado según pasa' },
})

/** What tasks are called, sessions in the language of the reader. */
export function useTaskTitle(): (task: Titled) => string {
  const say = useMessages(messages)
  return useCallback((task) => titleOf(task, say('time')), [say])
}
