import { useState, type FormEvent, type ReactNode } from 'react'
import { ErgonError, type Input } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useOperatorChange } from '../../lib/operator.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { AwardFacts } from './award-facts.tsx'
import { decideMessages } from './decide-messages.ts'
import type { Dispute } from './dispute-view.tsx'

type ConfirmProps = {
  readonly dispute: Dispute
  readonly input: Input<'disputes.resolve'> | undefined
  readonly onClose: () => void
  readonly onDecided: () => void
}

/** The last look before the money moves: the amounts, and a word that is typed. */
export function ConfirmDecision({ input, ...rest }: ConfirmProps): ReactNode {
  const say = useMessages(decideMessages)
  return (
    <Dialog open={input !== undefined} title={say('confirmTitle')} onClose={rest.onClose}>
      {input !== undefined && <ConfirmForm {...rest} input={input} />}
    </Dialog>
  )
}

function ConfirmForm({
  dispute,
  input,
  onClose,
  onDecided,
}: ConfirmProps & { readonly input: Input<'disputes.resolve'> }): ReactNode {
  const say = useMessages(decideMessages)
  const common = useMessages(commonMessages)
  const tell = useToast()
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const resolve = useOperatorChange('disputes.resolve', ['disputes.get', 'disputes.list', 'tasks.get'])
  const word = say(`word.${input.verdict}`)
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const isSaid = typed.trim().toUpperCase() === word
    setIsWrong(!isSaid)
    if (!isSaid) {
      requestAnimationFrame(() => {
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      })
      return
    }
    resolve.mutate(input, {
      onSuccess: ({ status }) => {
        onDecided()
        tell(say(status === 'resolved' ? 'done' : 'under'))
        onClose()
      },
    })
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <p className="font-semibold">{say(input.verdict)}</p>
      <AwardFacts bountyUsd={dispute.disputed_amount_usdc} verdict={input.verdict} share={input.split_pct ?? 0} />
      <Note tone="warn">
        <p>{say('final')}</p>
      </Note>
      <TextField
        label={say('type', { word })}
        required
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
        }}
        error={isWrong ? say('typeWrong') : undefined}
      />
      {resolve.error !== null && <Failure error={resolve.error} />}
      {resolve.error !== null && (!(resolve.error instanceof ErgonError) || resolve.error.unanswered) && (
        <Note tone="warn">
          <p>{say('unsure')}</p>
        </Note>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button kind="danger" type="submit" busy={resolve.isPending}>
          {say('confirm')}
        </Button>
      </div>
    </form>
  )
}
