import { useState, type FormEvent, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { ReadFault } from '../../components/read-fault.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { useOperatorRead } from '../../lib/operator.tsx'
import { readOnce } from '../../lib/read-once.ts'
import { showIn } from '../../lib/show-faults.ts'
import { isUnderway } from '../../lib/turn.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { talkMessages } from './messages.ts'
import { Thread } from './thread.tsx'

type Side = 'publisher' | 'worker'
type Full = Output<'tasks.get'>
type Task = Pick<Full, 'id' | 'status'> & Partial<Pick<Full, 'executor_id' | 'publisher_name'>>

const everyMs = 15_000
/** A page of the service holds no more; a thread that is full fills two. */
const mostInPage = 100
const steps = [20, mostInPage, 2 * mostInPage] as const

type Messages = Output<'messages.list'>

/** What the two sides of a task wrote to one another, for one of them, and the way to write more. */
export function Talk({ task, side }: { readonly task: Task; readonly side: Side }): ReactNode {
  const [wanted, setWanted] = useState<number>(steps[0])
  const isOpen = isUnderway(task.status)
  const refetchInterval = isOpen ? everyMs : false
  const newest = useRead(
    'messages.list',
    { task_id: task.id, limit: Math.min(wanted, mostInPage) },
    { refetchInterval, placeholderData: (before: Messages | undefined) => before },
  )
  const { data } = newest
  const older = useRead('messages.list', secondPage(task.id), { enabled: wanted > mostInPage, refetchInterval })
  const { executor_id: workerId = null } = task
  const hasWorkers = side === 'publisher' && data?.messages.some(({ by }) => by === 'worker') === true
  const worker = useRead('workers.get', { executor_id: workerId ?? '' }, { enabled: workerId !== null && hasWorkers })
  if (data === undefined) return <ReadFault of={newest} />
  if (data.messages.length === 0 && !isOpen) return null
  const next = steps.find((step) => step > wanted)
  return (
    <Thread
      messages={together(data, older.data)}
      side={side}
      names={{ publisher: task.publisher_name ?? null, worker: worker.data?.display_name ?? null }}
      showMore={data.has_more && next !== undefined ? () => setWanted(next) : undefined}
    >
      <ReadFault of={older} />
      {isOpen ? <Write taskId={task.id} /> : <Over />}
    </Thread>
  )
}

const firstPage = (taskId: string) => ({ task_id: taskId, limit: mostInPage })
const secondPage = (taskId: string) => ({ ...firstPage(taskId), offset: mostInPage })

/** Both pages, newest first; what came meanwhile moves the last of one to the other. */
function together(first: Messages, second: Messages | undefined): Messages['messages'] {
  return [...new Map([...first.messages, ...(second?.messages ?? [])].map((one) => [one.id, one])).values()]
}

/** The same for the operator who decides a dispute; each look leaves a line, so it is read once. */
export function TalkOfDispute({ taskId }: { readonly taskId: string }): ReactNode {
  const first = useOperatorRead('messages.list', firstPage(taskId))
  const hasMore = first.data?.has_more === true
  return <ToJudge first={first} second={useOperatorRead('messages.list', secondPage(taskId), { enabled: hasMore })} />
}

/** As an arbiter reads it, which leaves a line in the audit log. */
export function TalkForArbiter({ taskId }: { readonly taskId: string }): ReactNode {
  const first = useRead('messages.list', firstPage(taskId), readOnce)
  const hasMore = first.data?.has_more === true
  return (
    <ToJudge first={first} second={useRead('messages.list', secondPage(taskId), { ...readOnce, enabled: hasMore })} />
  )
}

type PageRead = Pick<UseQueryResult<Messages>, 'data' | 'error' | 'refetch'>

/** The whole thread: whoever decides reads all of it or is told that it is not all. */
function ToJudge({ first, second }: { readonly first: PageRead; readonly second: PageRead }): ReactNode {
  return (
    <>
      <ReadFault of={first.error === null ? second : first} />
      {first.data !== undefined && <Thread messages={together(first.data, second.data)} side={undefined} />}
    </>
  )
}

function Over(): ReactNode {
  const say = useMessages(talkMessages)
  return <p className="text-sm text-quiet">{say('over')}</p>
}

function Write({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(talkMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft(`message.${taskId}`, { text: '' })
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const send = useChange('messages.send', ['messages.list', 'events.list'])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const show = showIn(event.currentTarget, setFaults)
    const input = { task_id: taskId, text: draft.text.trim() }
    const found = faultsOf('messages.send', input)
    show(found)
    if (Object.keys(found).length > 0) return
    send.mutate(input, {
      onSuccess: () => {
        forget()
        tell(say('sent'))
      },
      onError: (error) => {
        show(faultsSaid(error))
      },
    })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <TextAreaField
        label={say('write')}
        rows={2}
        required
        value={draft.text}
        onChange={(event) => change({ text: event.target.value })}
        error={faultOf('text')}
      />
      {send.error !== null && <Failure error={send.error} />}
      <div>
        <Button type="submit" busy={send.isPending}>
          {say('send')}
        </Button>
      </div>
    </form>
  )
}
