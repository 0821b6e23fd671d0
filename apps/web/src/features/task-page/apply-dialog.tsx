import { useRef, useState, type ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { faultMessages } from '../../messages/faults.ts'
import { taskMessages } from './messages.ts'

type DialogProps = {
  readonly taskId: string
  readonly open: boolean
  readonly isVisitor: boolean
  readonly onClose: () => void
}

/** Asks to be chosen, with a few words to the publisher; what was typed outlives a refusal and a reload. */
export function ApplyDialog({ taskId, open, isVisitor, onClose }: DialogProps): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  return (
    <Dialog open={open} title={say('applyTitle')} onClose={onClose}>
      {isVisitor ? (
        <div className="grid gap-4">
          <p>{say('signInToApply')}</p>
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={onClose}>{common('cancel')}</Button>
            <LinkButton to="/sign-in" search={{ then: `/tasks/${taskId}?apply=1` }} kind="primary">
              {say('signIn')}
            </LinkButton>
          </div>
        </div>
      ) : (
        <ApplyForm taskId={taskId} onClose={onClose} />
      )}
    </Dialog>
  )
}

const empty = { message: '' }

function ApplyForm({ taskId, onClose }: { readonly taskId: string; readonly onClose: () => void }): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  const wrong = useMessages(faultMessages)
  const tell = useToast()
  const form = useRef<HTMLFormElement>(null)
  const [draft, change, forget] = useDraft(`apply.${taskId}`, empty)
  const [isTried, setIsTried] = useState(false)
  const apply = useChange('tasks.apply', [
    'events.list',
    'tasks.get',
    'tasks.application',
    'auth.readSession',
    'account.export',
  ])
  const message = draft.message.trim()
  const input = { task_id: taskId, ...(message === '' ? {} : { message }) }
  const fault = (isTried ? faultsOf('tasks.apply', input)['message'] : undefined) ?? faultsSaid(apply.error)['message']
  const send = (): void => {
    setIsTried(true)
    if (Object.keys(faultsOf('tasks.apply', input)).length > 0) {
      form.current?.querySelector('textarea')?.focus()
      return
    }
    apply.mutate(input, {
      onSuccess: () => {
        forget()
        tell(say('applied'))
        onClose()
      },
    })
  }
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!apply.isPending) send()
      }}
    >
      <p className="text-quiet">{say('applyLead')}</p>
      <Message
        value={draft.message}
        onChange={(typed) => {
          change({ message: typed })
        }}
        error={
          fault === undefined ? undefined : wrong(fault.rule, fault.limit === undefined ? {} : { limit: fault.limit })
        }
      />
      {apply.error !== null && <Failure error={apply.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" kind="primary" busy={apply.isPending}>
          {say('send')}
        </Button>
      </div>
    </form>
  )
}

type MessageProps = {
  readonly value: string
  readonly onChange: (typed: string) => void
  readonly error: string | undefined
}

function Message({ value, onChange, error }: MessageProps): ReactNode {
  const say = useMessages(taskMessages)
  return (
    <TextAreaField
      label={say('message')}
      hint={
        <>
          {say('messageHint')} <span className="numbers">{`${value.trim().length}/${limits.coverNoteMax}`}</span>
        </>
      }
      value={value}
      error={error}
      onChange={({ target }) => {
        onChange(target.value)
      }}
    />
  )
}
