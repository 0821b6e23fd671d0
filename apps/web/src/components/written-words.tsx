import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { useMessages } from '../lib/i18n.tsx'
import { writtenMessages } from '../messages/written-messages.ts'
import { Note } from './surface.tsx'

type Written = Pick<Output<'tasks.get'>, 'assign_notes' | 'approve_feedback' | 'cancel_reason' | 'withdraw_reason'>

/** What was written with the moves of a task, as far as the service gives it to this reader (decision 0105). */
export function WrittenWords({ task }: { readonly task: Written }): ReactNode {
  const say = useMessages(writtenMessages)
  const written = [
    ['assign', task.assign_notes],
    ['approve', task.approve_feedback],
    ['cancel', task.cancel_reason],
    ['withdraw', task.withdraw_reason],
  ] as const
  return written.map(
    ([kind, text]) =>
      text !== undefined && (
        <Note key={kind} title={say(kind)}>
          <p className="wrap-anywhere text-sm whitespace-pre-line">{text}</p>
        </Note>
      ),
  )
}
