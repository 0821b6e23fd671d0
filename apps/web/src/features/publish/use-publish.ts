import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { useGoOnFromSteps } from '../../lib/way-back.ts'
import { policyInput, publishInput, type TaskDraft } from './draft.ts'
import { publishMessages } from './messages.ts'

type Written = {
  readonly fields: Readonly<Record<string, unknown>>
  readonly place: Readonly<Record<string, unknown>> | undefined
  readonly draft: TaskDraft
}

/** Publishes, then says where; a task whose place or terms could not be saved is still shown, with what is missing. */
export function usePublish(forget: () => void): {
  readonly publish: (written: Written, refused: (error: unknown) => void) => void
  readonly busy: boolean
  readonly error: unknown
} {
  const say = useMessages(publishMessages)
  const goOn = useGoOnFromSteps()
  const tell = useToast()
  const task = useChange('h2a.publish', ['h2a.list', 'tasks.list', 'tasks.available'])
  const location = useChange('tasks.setLocation', ['tasks.get'])
  const policy = useChange('tasks.setPolicy', ['tasks.get'])
  return {
    busy: task.isPending || policy.isPending || location.isPending,
    error: task.error,
    publish({ fields, place, draft }, refused) {
      task.mutateAsync(publishInput(fields)).then(async ({ id }) => {
        // Whoever applied in between counts on the task as it was. Metered work is accepted unit by unit.
        if (draft.meter === null)
          await policy.mutateAsync({ task_id: id, ...policyInput(draft) }).catch(() => {
            tell(say('policyFailed'))
          })
        if (place !== undefined)
          await location.mutateAsync({ task_id: id, ...(place as { lat: number; lng: number }) }).catch(() => {
            tell(say('placeFailed'))
          })
        forget()
        tell(say('published'))
        await goOn({ to: '/my/tasks/$taskId', params: { taskId: id } })
      }, refused)
    },
  }
}
