import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { PersonChip } from '../../components/person.tsx'
import { Badge, Card, type Tone } from '../../components/surface.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, useDraft, type FieldFaults } from '../../lib/form.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { rulingMessages } from './ruling-messages.ts'
import type { Ruling } from './use-ruling.ts'

type CardProps = { readonly ruling: Ruling; readonly mayAppeal: boolean }

const tones: Readonly<Record<Ruling['status'], Tone>> = {
  standing: 'move',
  appealed: 'warn',
  executed: 'good',
  overtaken: 'over',
}
const icons = {
  standing: 'hourglass-medium-bold',
  appealed: 'scales-bold',
  executed: 'check-circle-bold',
  overtaken: 'minus-circle-bold',
} as const

/** What an arbiter ruled and by what, and the way to the operator while there is one (decision 0168). */
export function RulingCard({ ruling, mayAppeal }: CardProps): ReactNode {
  const say = useMessages(rulingMessages)
  const format = useFormat()
  const { verdict, split_pct: pct, status, appeal_until: until } = ruling
  return (
    <Card as="section" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{say('ruling')}</h2>
        <Badge tone={tones[status]} icon={icons[status]}>
          {say(`badge.${status}`)}
        </Badge>
      </div>
      <PersonChip address={ruling.arbiter} name={say('arbiter')} />
      <p className="text-card leading-snug font-strong">
        {verdict === 'split' ? say('verdict.split', { pct: String(pct) }) : say(`verdict.${verdict}`)}
      </p>
      <p className="wrap-anywhere whitespace-pre-line">{ruling.reason}</p>
      <div className="grid gap-1.5">
        <h3>{say('criteria')}</h3>
        <ul className="list-disc pl-5">
          {ruling.criteria.map((one) => (
            <li key={one} className="wrap-anywhere">
              {one}
            </li>
          ))}
        </ul>
      </div>
      {ruling.appeal_reason !== null && ruling.appealed_by !== null && (
        <div className="grid gap-1.5">
          <h3>{say(`appealedBy.${ruling.appealed_by}`)}</h3>
          <p className="wrap-anywhere whitespace-pre-line">{ruling.appeal_reason}</p>
        </div>
      )}
      <p className="text-quiet">
        {status === 'standing' ? say('appealUntil', { when: format.dateTime(until) }) : say(`says.${status}`)}
      </p>
      {status === 'standing' && mayAppeal && <Appeal ruling={ruling} />}
    </Card>
  )
}

/** One button, and its reason once it is asked for; nothing is signed. */
function Appeal({ ruling: { dispute_id: disputeId, appeal_until: until } }: Pick<CardProps, 'ruling'>): ReactNode {
  const say = useMessages(rulingMessages)
  const tell = useToast()
  const [isAsked, setAsked] = useState(false)
  const [{ reason }, change, forget] = useDraft(`appeal.${disputeId}`, { reason: '' })
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const appeal = useChange('disputes.appeal', ['disputes.ruling', 'disputes.get', 'tasks.get', 'events.list'])
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const input = { dispute_id: disputeId, reason: reason.trim() }
    const found = faultsOf('disputes.appeal', input)
    showIn(event.currentTarget, setFaults)(found)
    if (Object.keys(found).length > 0) return
    appeal.mutate(input, {
      onSuccess: () => {
        forget()
        tell(say('done'))
      },
    })
  }
  if (!isAsked)
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          onClick={() => {
            setAsked(true)
          }}
        >
          {say('appeal')}
        </Button>
        <span className="text-sm text-quiet">
          <TimeLeft until={until} />
        </span>
      </div>
    )
  return (
    <form noValidate onSubmit={send} className="grid gap-3">
      <TextAreaField
        label={say('why')}
        hint={say('whyHelp')}
        required
        autoFocus
        rows={3}
        value={reason}
        onChange={({ target }) => {
          change({ reason: target.value })
        }}
        error={faultOf('reason')}
      />
      {appeal.error !== null && <Failure error={appeal.error} />}
      <div>
        <Button type="submit" busy={appeal.isPending}>
          {say('appeal')}
        </Button>
      </div>
    </form>
  )
}
