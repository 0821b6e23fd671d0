import { useRef, useState, type FormEvent, type ReactNode } from 'react'
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
import { VerdictField } from './verdict-field.tsx'

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
          <ShareField share={draft.share} isWrong={faults['split_pct'] !== undefined} change={change} />
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

type ShareProps = {
  readonly share: string
  readonly isWrong: boolean
  readonly change: (part: { readonly share: string }) => void
}

/** What the publisher gets back of a split, in percent. */
function ShareField({ share, isWrong, change }: ShareProps): ReactNode {
  const say = useMessages(decideMessages)
  return (
    <TextField
      label={say('share')}
      hint={say('shareHelp')}
      required
      inputMode="numeric"
      maxLength={2}
      value={share}
      onChange={({ target }) => change({ share: target.value })}
      error={isWrong ? say('shareWrong') : undefined}
    />
  )
}
