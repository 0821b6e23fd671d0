import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { Loading, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { useDraft } from '../../lib/use-draft.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { extendMessages } from './extend-messages.ts'

type ExtendDialogProps = { readonly taskId: string; readonly open: boolean; readonly onClose: () => void }

/** Giving more time: how far it can go, and who is told. */
export function ExtendDialog({ taskId, open, onClose }: ExtendDialogProps): ReactNode {
  const say = useMessages(extendMessages)
  const common = useMessages(commonMessages)
  const { data, error } = useRead('tasks.deadline', { task_id: taskId }, { enabled: open })
  return (
    <Dialog open={open} title={say('more')} onClose={onClose}>
      {data === undefined && (error === null ? <Loading says={common('loading')} /> : <Failure error={error} />)}
      {data !== undefined && data.latest === null && (
        <div className="grid gap-4">
          <Note title={say('noMore')}>{say('noMoreSays')}</Note>
          <Button onClick={onClose}>{common('close')}</Button>
        </div>
      )}
      {data !== undefined && data.latest !== null && (
        <ExtendForm
          taskId={taskId}
          deadline={data.deadline}
          latest={data.latest}
          left={data.extensions_left}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type FormProps = {
  readonly taskId: string
  readonly deadline: string
  readonly latest: string
  readonly left: number
  readonly onClose: () => void
}

const untouched = { to: '' }

function ExtendForm({ taskId, deadline, latest, left, onClose }: FormProps): ReactNode {
  const say = useMessages(extendMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const tell = useToast()
  const [draft, change, forget] = useDraft(`extend.${taskId}`, untouched)
  const to = draft.to === '' ? localMinute(suggested(deadline, latest)) : draft.to
  const [isWrong, setWrong] = useState(false)
  const extend = useChange('tasks.extend', [
    'tasks.deadline',
    'h2a.get',
    'h2a.list',
    'tasks.get',
    'tasks.available',
    'tasks.policy',
  ])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const at = Date.parse(to)
    // The field has minutes: the last of them ends at the bound.
    const isIn = at > Date.parse(deadline) && at <= Date.parse(latest)
    setWrong(!isIn)
    if (!isIn) return
    extend.mutate(
      { task_id: taskId, deadline: new Date(at).toISOString() },
      {
        onSuccess: () => {
          forget()
          tell(say('extended', { until: format.dateTime(new Date(at).toISOString()) }))
          onClose()
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p>{say('says', { until: format.dateTime(deadline) })}</p>
      <TextField
        type="datetime-local"
        label={say('until')}
        hint={say('bounds', { latest: format.dateTime(latest), left })}
        required
        min={localMinute(Date.parse(deadline))}
        max={localMinute(Date.parse(latest))}
        value={to}
        onChange={({ target }) => {
          change({ to: target.value })
        }}
        error={isWrong ? say('outside', { latest: format.dateTime(latest) }) : undefined}
      />
      {extend.error !== null && <Failure error={extend.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('close')}</Button>
        <Button type="submit" kind="primary" busy={extend.isPending}>
          {say('extend')}
        </Button>
      </div>
    </form>
  )
}

const dayMs = 86_400_000
const minuteMs = 60_000

/** A day more, or as much of it as there is. */
const suggested = (deadline: string, latest: string): number =>
  Math.min(Date.parse(deadline) + dayMs, Date.parse(latest))

/** As the field of a browser takes it: the minute by the clock of the reader, cut down. */
function localMinute(at: number): string {
  const shifted = at - new Date(at).getTimezoneOffset() * minuteMs
  return new Date(shifted).toISOString().slice(0, 16)
}
