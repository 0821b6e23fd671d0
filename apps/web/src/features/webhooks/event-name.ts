import { useCallback } from 'react'
import type { EventName } from '@ergon/contract'
import { useMessages } from '../../lib/i18n.tsx'
import { eventMessages } from '../../messages/event-words.ts'
import { webhookMessages } from './messages.ts'

/** What a type of event is called; one that a newer service names, by its own name. */
export function useEventName(): (type: string) => string {
  const own = useMessages(webhookMessages)
  const say = useMessages(eventMessages)
  return useCallback(
    (type) => {
      if (type === 'webhook.test') return own('type.test')
      if (type === 'webhook.challenge') return own('type.challenge')
      return isNamed(type) ? say(type) : type
    },
    [own, say],
  )
}

const isNamed = (type: string): type is EventName => Object.hasOwn(eventMessages.en, type)
