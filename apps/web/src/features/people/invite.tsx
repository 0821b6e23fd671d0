import { useState, type FormEvent, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { SelectField } from '../../components/field.tsx'
import { Empty, Loading } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { inviteMessages } from './invite-messages.ts'

type InviteProps = { readonly workerId: string; readonly name: string }

/** The way from the page of a person to a task of one's own, or to a session with that person. */
export function Invite({ workerId, name }: InviteProps): ReactNode {
  const say = useMessages(inviteMessages)
  const { data: config } = useRead('service.config', {}, { staleTime: 600_000 })
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setOpen(false)
  }
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        kind="primary"
        onClick={() => {
          setOpen(true)
        }}
      >
        {say('invite')}
      </Button>
      {config?.features.streams === true && (
        <LinkButton to="/sessions" search={{ with: workerId }}>
          {say('payTime')}
        </LinkButton>
      )}
      <Dialog open={isOpen} title={say('title', { name })} onClose={close}>
        <OpenTasks workerId={workerId} onClose={close} />
      </Dialog>
    </div>
  )
}

type OpenTasksProps = { readonly workerId: string; readonly onClose: () => void }

function OpenTasks({ workerId, onClose }: OpenTasksProps): ReactNode {
  const say = useMessages(inviteMessages)
  const common = useMessages(commonMessages)
  const { data, error } = useRead('h2a.list', { my_tasks: true, status: 'published', limit: 100 })
  if (data === undefined) return error === null ? <Loading says={common('loading')} /> : <Failure error={error} />
  if (data.tasks.length === 0)
    return (
      <Empty title={say('none')}>
        <p className="text-quiet">{say('noneSays')}</p>
        <LinkButton to="/publish">{say('publish')}</LinkButton>
      </Empty>
    )
  return <InviteForm workerId={workerId} tasks={data.tasks} total={data.total} onClose={onClose} />
}

type FormProps = OpenTasksProps & Pick<Output<'h2a.list'>, 'tasks' | 'total'>

function InviteForm({ workerId, tasks, total, onClose }: FormProps): ReactNode {
  const say = useMessages(inviteMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const tell = useToast()
  const [taskId, setTaskId] = useState(tasks[0]?.id ?? '')
  const invite = useChange('tasks.invite', ['events.list'])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    invite.mutate(
      { task_id: taskId, worker: workerId },
      {
        onSuccess: () => {
          tell(say('sent'))
          onClose()
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p>{say('says')}</p>
      <SelectField
        label={say('task')}
        hint={total > tasks.length ? say('newest', { n: tasks.length, total }) : undefined}
        value={taskId}
        onChange={({ target }) => {
          setTaskId(target.value)
        }}
      >
        {tasks.map(({ id, title, bounty_usd }) => (
          <option key={id} value={id}>
            {title} · {format.usd(bounty_usd)}
          </option>
        ))}
      </SelectField>
      {invite.error !== null && <Failure error={invite.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" kind="primary" busy={invite.isPending}>
          {say('send')}
        </Button>
      </div>
    </form>
  )
}
