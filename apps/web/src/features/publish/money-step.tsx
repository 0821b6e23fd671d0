import type { ReactNode } from 'react'
import { SelectField, TextField } from '../../components/field.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { BountyField } from './bounty-field.tsx'
import { emptyDraft, type FormPart } from './draft.ts'
import { publishMessages } from './messages.ts'
import { PayoutPreview } from './payout-preview.tsx'

const reviewHours = [24, 48, 72, 168] as const
const deadlines = [24, 72, 168] as const

type MoneyProps = FormPart & { readonly bountyUsd: number | undefined }

/** What is paid, until when, and how. */
export function MoneyStep({ bountyUsd, ...part }: MoneyProps): ReactNode {
  return (
    <div className="grid gap-8">
      <div className="grid gap-4">
        <BountyField {...part} />
        <PayoutPreview bountyUsd={bountyUsd} />
      </div>
      <UntilWhen {...part} />
      <HowPaid {...part} />
    </div>
  )
}

function UntilWhen({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-label">{say('untilWhen')}</legend>
      <div className="flex flex-wrap gap-2">
        {deadlines.map((hours) => (
          <button
            key={hours}
            type="button"
            className="chip"
            aria-pressed={draft.deadlineHours === String(hours)}
            onClick={() => {
              change({ deadlineHours: String(hours) })
            }}
          >
            {format.duration(hours * 3_600)}
          </button>
        ))}
      </div>
      <TextField
        label={say('deadline')}
        hint={say('deadlineHint')}
        inputMode="numeric"
        className="max-w-40"
        value={draft.deadlineHours}
        error={faultOf('deadline_hours')}
        onChange={({ target }) => {
          change({ deadlineHours: target.value })
        }}
      />
    </fieldset>
  )
}

/** What most leave as it is: what the publisher's silence does, and the network. */
function HowPaid({ draft, change, faultOf }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const networks = useRead('payments.networks', {}, { staleTime: 600_000 })
  const withEscrow = networks.data?.networks.filter((one) => one.escrow !== null) ?? []
  const isUsed =
    draft.network !== emptyDraft.network ||
    draft.onSilence !== emptyDraft.onSilence ||
    draft.reviewHours !== emptyDraft.reviewHours ||
    faultOf('payment_network') !== undefined
  return (
    <details open={isUsed || undefined} className="fold">
      <summary>{say('howPaid')}</summary>
      <div className="grid gap-5 pt-3">
        <SelectField
          label={say('reviewHours')}
          value={draft.reviewHours}
          onChange={({ target }) => {
            change({ reviewHours: target.value })
          }}
        >
          {reviewHours.map((hours) => (
            <option key={hours} value={hours}>
              {format.duration(hours * 3_600)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={say('onSilence')}
          hint={say('onSilenceHint')}
          value={draft.onSilence}
          onChange={({ target }) => {
            change({ onSilence: target.value === 'dispute' ? 'dispute' : 'release' })
          }}
        >
          <option value="release">{say('silence.release')}</option>
          <option value="dispute">{say('silence.dispute')}</option>
        </SelectField>
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
      </div>
    </details>
  )
}
