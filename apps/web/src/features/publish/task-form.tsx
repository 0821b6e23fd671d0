import type { ReactNode } from 'react'
import { categories, limits, targets } from '@ergon/contract'
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { wordMessages } from '../../messages/words.ts'
import { CriteriaFields } from './criteria-fields.tsx'
import type { TaskDraft } from './draft.ts'
import { EvidencePicker } from './evidence-picker.tsx'
import { publishMessages } from './messages.ts'
import { PlaceFields } from './place-fields.tsx'

export type FormPart = {
  readonly draft: TaskDraft
  readonly change: (part: Partial<TaskDraft>) => void
  readonly faultOf: (field: string) => string | undefined
}

/** What has to be done, and when it counts as done. */
export function WorkPart({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(wordMessages)
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('work')}</h2>
      <TextField
        label={say('name')}
        value={draft.title}
        maxLength={limits.titleMax}
        error={faultOf('title')}
        onChange={({ target }) => {
          change({ title: target.value })
        }}
      />
      <TextAreaField
        label={say('instructions')}
        hint={say('instructionsHint')}
        value={draft.instructions}
        maxLength={limits.instructionsMax}
        error={faultOf('instructions')}
        onChange={({ target }) => {
          change({ instructions: target.value })
        }}
      />
      <CriteriaFields
        criteria={draft.criteria}
        onChange={(criteria) => {
          change({ criteria })
        }}
      />
      <SelectField
        label={say('category')}
        value={draft.category}
        error={faultOf('category')}
        onChange={({ target }) => {
          change({ category: categories.find((one) => one === target.value) ?? '' })
        }}
      >
        <option value="">{say('choose')}</option>
        {categories.map((one) => (
          <option key={one} value={one}>
            {words(`category.${one}`)}
          </option>
        ))}
      </SelectField>
    </Card>
  )
}

/** What has to be handed in, and by whom. */
export function ProofPart({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(wordMessages)
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('proof')}</h2>
      <EvidencePicker
        id="evidence"
        legend={say('evidence')}
        hint={say('evidenceHint', { most: limits.evidenceMax })}
        error={faultOf('evidence_required')}
        chosen={draft.evidence}
        not={draft.optionalEvidence}
        onChange={(evidence) => {
          change({ evidence })
        }}
      />
      <details>
        <summary className="min-h-6 cursor-pointer font-semibold text-brand">{say('evidenceOptional')}</summary>
        <div className="mt-3">
          <EvidencePicker
            id="evidence-optional"
            legend={say('evidenceOptional')}
            error={faultOf('evidence_optional')}
            chosen={draft.optionalEvidence}
            not={draft.evidence}
            onChange={(optionalEvidence) => {
              change({ optionalEvidence })
            }}
          />
        </div>
      </details>
      <SelectField
        label={say('target')}
        value={draft.target}
        onChange={({ target }) => {
          change({ target: targets.find((one) => one === target.value) ?? 'any' })
        }}
      >
        {targets.map((one) => (
          <option key={one} value={one}>
            {words(`party.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={say('minReputation')}
        hint={say('minReputationHint')}
        inputMode="numeric"
        value={draft.minReputation}
        error={faultOf('min_reputation')}
        onChange={({ target }) => {
          change({ minReputation: target.value })
        }}
      />
    </Card>
  )
}

export function PlacePart(part: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('place')}</h2>
      <PlaceFields {...part} />
    </Card>
  )
}

/** What is paid, where, and until when. */
export function MoneyPart({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  const fees = useRead('payments.fees', {}, { staleTime: 600_000 })
  const networkTitle = useNetworkTitle()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  const withEscrow = networks.data?.networks.filter((one) => one.escrow !== null) ?? []
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('money')}</h2>
      <TextField
        label={say('bounty')}
        {...(fees.data === undefined
          ? {}
          : {
              hint: say('bountyHint', {
                least: format.usd(fees.data.min_bounty_usd),
                most: format.usd(fees.data.max_escrow_bounty_usd),
              }),
            })}
        inputMode="decimal"
        value={draft.bounty}
        error={faultOf('bounty_usd')}
        onChange={({ target }) => {
          change({ bounty: target.value })
        }}
      />
      <TextField
        label={say('deadline')}
        inputMode="numeric"
        value={draft.deadlineHours}
        error={faultOf('deadline_hours')}
        onChange={({ target }) => {
          change({ deadlineHours: target.value })
        }}
      />
      <SelectField
        label={say('network')}
        hint={say('networkHint')}
        value={draft.network}
        error={faultOf('payment_network')}
        onChange={({ target }) => {
          change({ network: target.value })
        }}
      >
        <option value="">
          {networks.data === undefined ? '…' : say('preferred', { name: networkTitle(networks.data.preferred) })}
        </option>
        {withEscrow
          .filter((one) => one.name !== networks.data?.preferred)
          .map((one) => (
            <option key={one.name} value={one.name}>
              {networkTitle(one.name)}
            </option>
          ))}
      </SelectField>
    </Card>
  )
}
