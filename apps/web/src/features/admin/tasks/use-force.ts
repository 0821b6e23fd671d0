import { useState, type FormEvent } from 'react'
import { useToast } from '../../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorChange } from '../../../lib/operator.tsx'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { actorInput, isActorSendable, useActor } from '../actor.ts'
import { forcible, type ForcibleStatus } from './forcible.ts'
import { adminTaskMessages } from './messages.ts'
import type { AdminTask } from './task-row.tsx'

const empty = { status: '', reason: '' }

type Forcing = {
  readonly draft: typeof empty
  readonly change: (part: Partial<typeof empty>) => void
  readonly actor: string
  readonly typeActor: (typed: string) => void
  /** What has to be typed before anything is sent, and what is typed of it. */
  readonly code: string
  readonly typed: string
  readonly setTyped: (typed: string) => void
  readonly isConfirmed: boolean
  /** It was sent once: what is missing is said from now on. */
  readonly isTried: boolean
  readonly to: ForcibleStatus | undefined
  readonly errorOf: (field: string) => string | undefined
  readonly send: (event: FormEvent<HTMLFormElement>) => void
  readonly isPending: boolean
  readonly refused: Error | null
}

/** What is typed to put a task into another status, what is missing of it, and how it is sent. */
export function useForce(task: AdminTask, onDone: () => void): Forcing {
  const say = useMessages(adminTaskMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`force.${task.id}`, empty)
  const [actor, typeActor] = useActor()
  const [typed, setTyped] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const force = useOperatorChange('admin.forceTask', ['tasks.get', 'h2a.get', 'tasks.available', 'disputes.list'])
  const code = task.id.slice(0, 8)
  const to = forcible[task.status].find((one) => one === draft.status)
  const isConfirmed = typed.trim().toLowerCase() === code
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = (found: FieldFaults): void => {
      setFaults(found)
      focusFault(form)
    }
    const rest = { task_id: task.id, reason: draft.reason.trim(), ...actorInput(actor) }
    const found = faultsOf('admin.forceTask', to === undefined ? rest : { ...rest, status: to })
    setIsTried(true)
    show(found)
    if (to === undefined || Object.keys(found).length > 0 || !isConfirmed || !isActorSendable(actor)) return
    force.mutateAsync({ ...rest, status: to }).then(
      ({ state }) => {
        forget()
        tell(say(state))
        onDone()
      },
      (error: unknown) => {
        show(faultsSaid(error))
      },
    )
  }
  return {
    draft,
    change,
    actor,
    typeActor,
    code,
    typed,
    setTyped,
    isConfirmed,
    isTried,
    to,
    errorOf: faultOf,
    send,
    isPending: force.isPending,
    refused: force.error,
  }
}
