import type { ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { useMessages } from '../../lib/i18n.tsx'
import { isNarrowed, type Filters } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'
import type { OpenTasks } from './use-open-tasks.ts'

/** How many there are; where the app itself looks through them, how far it has come. */
export function FoundCount({ tasks, filters }: { readonly tasks: OpenTasks; readonly filters: Filters }): ReactNode {
  const say = useMessages(discoverMessages)
  const { found, total, read, isComplete } = tasks
  const words =
    total === undefined
      ? []
      : isNarrowed(filters)
        ? [
            say('countedOf', { count: found.length, read }),
            ...(isComplete ? [] : [say('lookedThrough', { read, total })]),
          ]
        : [
            say(filters.words !== undefined && total >= limits.searchCounted ? 'countedMost' : 'counted', {
              count: total,
            }),
          ]
  return (
    <p role="status" className="numbers min-h-6 text-quiet">
      {words.join(' · ')}
    </p>
  )
}
