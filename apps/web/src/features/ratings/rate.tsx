import { useState, type FormEvent, type ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { ClosesOnBack } from '../../components/closes-on-back.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { Facts, Note } from '../../components/surface.tsx'
import { useDraft, type FieldFaults } from '../../lib/form.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { focusFault } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { Given } from './given.tsx'
import { ratingMessages } from './messages.ts'
import { StarsField } from './stars-field.tsx'
import { readGiven, readRating, type RatingDraft, type RatingInput } from './stars.ts'

type RateProps = {
  readonly taskId: string
  /** Who is rated: by the publisher the worker, by the worker the publisher. */
  readonly whom: 'worker' | 'agent'
}

const empty: RatingDraft = { stars: undefined, comment: '' }
const operations = { worker: 'reputation.rateWorker', agent: 'reputation.rateAgent' } as const
const directions = { worker: 'publisher_rates_executor', agent: 'executor_rates_publisher' } as const

/**
 * A rating after the payment, in stars, confirmed before it is on the chain for ever. One that was given before is
 * shown instead: each task is rated once.
 */
export function Rate({ taskId, whom }: RateProps): ReactNode {
  const say = useMessages(ratingMessages)
  const [draft, change, forget] = useDraft(`rate.${whom}.${taskId}`, empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [asked, setAsked] = useState<RatingInput>()
  const faultOf = useFaultTexts(faults)
  const before = useRead('reputation.feedback', { task_id: taskId, direction: directions[whom] })
  const rate = useChange(operations[whom], ['reputation.feedback', 'workers.reputation', 'reputation.publisher'])
  if (rate.data !== undefined)
    return (
      <Note
        tone={rate.data.success ? 'good' : 'brand'}
        role="status"
        title={say(rate.data.success ? 'rated' : 'rating')}
      />
    )
  if (before.isPending) return null
  const given = readGiven(before.data)
  if (given !== undefined) return <Given rating={given} />
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const read = readRating(taskId, draft)
    setFaults('faults' in read ? read.faults : {})
    if ('input' in read) setAsked(read.input)
    else focusFault(form)
  }
  return (
    <form noValidate onSubmit={ask} className="grid gap-3 border-t border-line pt-3">
      <h3>{say(whom)}</h3>
      <StarsField given={draft.stars} error={faultOf('score')} onGive={(stars) => change({ stars })} />
      <TextAreaField
        label={say('comment')}
        rows={3}
        value={draft.comment}
        onChange={({ target }) => change({ comment: target.value })}
        error={faultOf('comment')}
      />
      <div>
        <Button type="submit">{say('go')}</Button>
      </div>
      <Dialog open={asked !== undefined} title={say('confirmTitle')} onClose={() => setAsked(undefined)}>
        {asked !== undefined && <ClosesOnBack onClose={() => setAsked(undefined)} />}
        {asked !== undefined && (
          <Confirm
            input={asked}
            stars={draft.stars ?? 0}
            busy={rate.isPending}
            error={rate.error}
            onCancel={() => setAsked(undefined)}
            onConfirm={() => rate.mutate(asked, { onSuccess: forget })}
          />
        )}
      </Dialog>
    </form>
  )
}

type ConfirmProps = {
  readonly input: RatingInput
  readonly stars: number
  readonly busy: boolean
  readonly error: unknown
  readonly onCancel: () => void
  readonly onConfirm: () => void
}

/** What will be on the chain, as it will be there. */
function Confirm({ input, stars, busy, error, onCancel, onConfirm }: ConfirmProps): ReactNode {
  const say = useMessages(ratingMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  return (
    <div className="grid gap-4">
      <Facts
        rows={[
          [say('whom'), say('stars', { n: stars })],
          [say('kept'), say('score', { score: format.number(input.score) })],
          ...(input.comment === undefined
            ? []
            : [
                [
                  say('comment'),
                  <span key="comment" className="wrap-anywhere whitespace-pre-line">
                    {input.comment}
                  </span>,
                ] as const,
              ]),
        ]}
      />
      <p>{say('says')}</p>
      {error instanceof ErgonError && error.is('IDENTITY_NOT_FOUND') ? (
        <Note tone="warn" role="alert" title={say('noIdentity')}>
          <p>{say('noIdentityHelp')}</p>
        </Note>
      ) : (
        error !== null && <Failure error={error} />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>{common('cancel')}</Button>
        <Button kind="primary" busy={busy} onClick={onConfirm}>
          {say('confirm')}
        </Button>
      </div>
    </div>
  )
}
