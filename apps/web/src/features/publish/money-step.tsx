import { lazy, Suspense, type ReactNode } from 'react'
import { SelectField, TextField } from '../../components/field.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Loading } from '../../components/surface.tsx'
import { isClosedNetwork } from '../../lib/closed-networks.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { BountyField } from './bounty-field.tsx'
import { emptyDraft, type FormPart } from './draft.ts'
import { publishMessages } from './messages.ts'
import { PayoutPreview } from './payout-preview.tsx'

const MeteredFields = lazy(async () => ({ default: (await import('./metered-fields.tsx')).MeteredFields }))

const reviewHours = [24, 48, 72, 168] as const
const deadlines = [24, 72, 168] as const

type MoneyProps = FormPart & { readonly bountyUsd: number | undefined }

/** What is paid, until when, and how. */
export function MoneyStep({ bountyUsd, ...part }: MoneyProps): ReactNode {
  const say = useMessages(publishMessages)
  const common = useMessages(commonMessages)
  const { meter } = part.draft
  return (
    <div className="grid gap-8">
      <PayKind {...part} />
      <div className="grid gap-4">
        {meter === null ? (
          <BountyField {...part} />
        ) : (
          <Suspense fallback={<Loading says={common('loading')} rows={3} />}>
            <MeteredFields {...part} meter={meter} />
          </Suspense>
        )}
        <PayoutPreview says={say(meter === null ? 'youPay' : 'mostLost')} bountyUsd={bountyUsd} />
      </div>
      <UntilWhen {...part} />
      {meter === null && <HowPaid {...part} />}
    </div>
  )
}

/** Once, or by the unit where this service meters work. */
function PayKind({ draft, change }: FormPart): ReactNode {
  const say = useMessages(publishMessages)
  const { data } = useRead('service.config', {}, { staleTime: 600_000 })
  if (draft.meter === null && data?.features.channels !== true) return null
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-label">{say('payKind')}</legend>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="chip"
          aria-pressed={draft.meter === null}
          onClick={() => {
            change({ meter: null })
          }}
        >
          {say('payOnce')}
        </button>
        <button
          type="button"
          className="chip"
          aria-pressed={draft.meter !== null}
          onClick={() => {
            change({ meter: draft.meter ?? { unit: 'observation', price: '', cap: draft.bounty } })
          }}
        >
          {say('payMetered')}
        </button>
      </div>
    </fieldset>
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
  const networks = useRead('payments.networks', {}, { staleTime: 30_000 })
  const withEscrow = networks.data?.networks.filter((one) => one.escrow !== null) ?? []
  const chosen = draft.network === emptyDraft.network ? networks.data?.preferred : draft.network
  const isClosed = networks.data?.networks.some((one) => one.name === chosen && isClosedNetwork(one)) === true
  const isUsed =
    draft.network !== emptyDraft.network ||
    draft.onSilence !== emptyDraft.onSilence ||
    draft.reviewHours !== emptyDraft.reviewHours ||
    isClosed ||
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
          error={
            faultOf('payment_network') ??
            (isClosed && chosen !== undefined ? say('networkClosed', { name: networkTitle(chosen) }) : undefined)
          }
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
              <option key={one.name} value={one.name} disabled={isClosedNetwork(one)}>
                {isClosedNetwork(one) ? say('networkClosed', { name: networkTitle(one.name) }) : networkTitle(one.name)}
              </option>
            ))}
        </SelectField>
      </div>
    </details>
  )
}
