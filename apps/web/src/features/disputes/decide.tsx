import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { disputeVerdicts } from '@ergon/contract'
import { Button } from '../../components/button.tsx'
import { TextAreaField, TextField } from '../../components/field.tsx'
import { Card } from '../../components/surface.tsx'
import { useDraft, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { AwardFacts } from './award-facts.tsx'
import { readShare } from './award.ts'
import { ConfirmDecision } from './confirm-decision.tsx'
import { decideMessages } from './decide-messages.ts'
import { noDecision, readDecision, verdictOf, type DecisionDraft } from './decision.ts'
import type { Dispute } from './dispute-view.tsx'

type DecideProps = {
  readonly dispute: Dispute
  readonly isConfirming: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** The arbiter's part: a verdict with its reason, where the money would go, and then the confirmation. */
export function Decide({ dispute, isConfirming, onConfirm, onClose }: DecideProps): ReactNode {
  const say = useMessages(decideMessages)
  const form = useRef<HTMLFormElement>(null)
  const [draft, change, forget] = useDraft<DecisionDraft>(`decide.${dispute.id}`, noDecision)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const read = readDecision(dispute.id, draft)
  const verdict = verdictOf(draft)
  const share = readShare(draft.share)
  const next = (event: FormEvent): void => {
    event.preventDefault()
    setFaults('faults' in read ? read.faults : {})
    if ('input' in read) return onConfirm()
    requestAnimationFrame(() => {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] input')?.focus()
    })
  }
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('decide')}</h2>
      <form ref={form} noValidate onSubmit={next} className="grid gap-4">
        <VerdictField
          chosen={draft.verdict}
          error={faults['verdict'] === undefined ? undefined : say('choose')}
          choose={(one) => change({ verdict: one })}
        />
        {verdict === 'split' && (
          <TextField
            label={say('share')}
            hint={say('shareHelp')}
            required
            inputMode="numeric"
            maxLength={2}
            value={draft.share}
            onChange={({ target }) => change({ share: target.value })}
            error={faults['split_pct'] === undefined ? undefined : say('shareWrong')}
          />
        )}
        <TextAreaField
          label={say('reason')}
          hint={say('reasonHelp')}
          required
          rows={3}
          value={draft.reason}
          onChange={({ target }) => change({ reason: target.value })}
          error={faultOf('reason')}
        />
        <TextField
          label={say('actor')}
          hint={say('actorHelp')}
          autoComplete="name"
          value={draft.actor}
          onChange={({ target }) => change({ actor: target.value })}
          error={faultOf('actor')}
        />
        {verdict !== undefined && (verdict !== 'split' || share !== undefined) && (
          <div role="status" className="grid gap-2">
            <h3>{say('preview')}</h3>
            <AwardFacts bountyUsd={dispute.disputed_amount_usdc} verdict={verdict} share={share ?? 0} />
          </div>
        )}
        <div>
          <Button kind="primary" type="submit">
            {say('continue')}
          </Button>
        </div>
      </form>
      <ConfirmDecision
        dispute={dispute}
        input={isConfirming && 'input' in read ? read.input : undefined}
        onClose={onClose}
        onDecided={forget}
      />
    </Card>
  )
}

type VerdictProps = {
  readonly chosen: string
  readonly error: string | undefined
  readonly choose: (verdict: string) => void
}

function VerdictField({ chosen, error, choose }: VerdictProps): ReactNode {
  const say = useMessages(decideMessages)
  return (
    <fieldset
      data-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : 'verdict-error'}
      className="grid gap-1"
    >
      <legend className="mb-1 font-semibold">{say('verdict')}</legend>
      {disputeVerdicts.map((one) => (
        <label key={one} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="verdict"
            value={one}
            checked={chosen === one}
            onChange={() => choose(one)}
            className="size-5 accent-brand"
          />
          <span>{say(one)}</span>
        </label>
      ))}
      {error !== undefined && (
        <p id="verdict-error" className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
