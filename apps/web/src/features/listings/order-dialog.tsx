import { useState, type ReactNode } from 'react'
import { limits } from '@ergon/contract'
import type { Input } from '@ergon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Address } from '../../components/address.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormEnd } from '../../components/form-end.tsx'
import { Failure } from '../../components/failure.tsx'
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { Money } from '../../components/money.tsx'
import { useNetworkTitle } from '../../components/network-title.ts'
import { Facts, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, useDraft, type FieldFaults } from '../../lib/form.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { answerKey } from '../../lib/market.tsx'
import { numberTyped } from '../../lib/number-typed.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { useGoOn } from '../../lib/way-back.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { useWallet } from '../../wallet/wallet.tsx'
import type { Listing } from './listing-card.tsx'
import { listingMessages } from './messages.ts'

const empty = { deadlineHours: '24', instructions: '', network: '' }

type OrderProps = {
  readonly listing: Listing
  readonly agreedUsd: number
  readonly buyer: string
  readonly onClose: () => void
}

/**
 * Orders at the price that was on the page when the dialog opened; another price is refused before anything is signed.
 */
export function OrderForm({ listing, agreedUsd, buyer, onClose }: OrderProps): ReactNode {
  const say = useMessages(listingMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const [draft, change, forget] = useDraft(`order.${listing.id}`, empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const order = useOrder(listing, agreedUsd, buyer, forget)
  const amount = format.usd(agreedUsd)
  const network = listing.accepted_networks.includes(draft.network) ? draft.network : listing.payment_network
  const hours = numberTyped(draft.deadlineHours, locale)
  const given = {
    listing_id: listing.id,
    payment_network: network,
    ...(draft.instructions.trim() === '' ? {} : { custom_instructions: draft.instructions.trim() }),
  }
  const hasMoved = listing.unit_price_usd !== agreedUsd
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        // An empty field is no wish for the hours that the service would take.
        const found = faultsOf('listings.order', { ...given, deadline_hours: hours ?? '' })
        setFaults(found)
        if (Object.keys(found).length === 0 && typeof hours === 'number')
          order.send({ ...given, deadline_hours: hours }, network)
      }}
    >
      <OrderFacts agreedUsd={agreedUsd} listing={listing} />
      <p>{say('orderSays', { amount })}</p>
      <TextAreaField
        label={`${say('instructions')} (${common('optional')})`}
        rows={3}
        maxLength={limits.orderInstructionsMax}
        value={draft.instructions}
        error={faultOf('custom_instructions')}
        onChange={({ target }) => change({ instructions: target.value })}
      />
      <TextField
        label={say('deadline')}
        inputMode="numeric"
        value={draft.deadlineHours}
        error={faultOf('deadline_hours')}
        onChange={({ target }) => change({ deadlineHours: target.value })}
      />
      <NetworkField listing={listing} network={network} choose={(one) => change({ network: one })} />
      <p className="text-sm text-quiet">{say('orderSteps', { amount })}</p>
      {hasMoved && (
        <Note
          tone="warn"
          role="alert"
          title={say('priceMoved', { now: format.usd(listing.unit_price_usd), then: amount })}
        />
      )}
      {order.busy && <Note tone="move" role="status" title={say('ordering')} />}
      {order.error !== undefined && <Failure error={order.error} />}
      <FormEnd onCancel={onClose} busy={order.busy} disabled={hasMoved}>
        {say('order', { amount })}
      </FormEnd>
    </form>
  )
}

type NetworkProps = {
  readonly listing: Listing
  readonly network: string
  readonly choose: (network: string) => void
}

function NetworkField({ listing, network, choose }: NetworkProps): ReactNode {
  const say = useMessages(listingMessages)
  const networkTitle = useNetworkTitle()
  return (
    <SelectField label={say('network')} value={network} onChange={({ target }) => choose(target.value)}>
      {listing.accepted_networks.map((one) => (
        <option key={one} value={one}>
          {networkTitle(one)}
        </option>
      ))}
    </SelectField>
  )
}

type OrderFactsProps = {
  readonly agreedUsd: number
  readonly listing: Listing
}

function OrderFacts({ agreedUsd, listing }: OrderFactsProps): ReactNode {
  const say = useMessages(listingMessages)
  return (
    <Facts
      rows={[
        [say('price'), <Money key="price" usd={agreedUsd} className="text-xl" />],
        [say('seller'), <Address key="seller" value={listing.seller_wallet} />],
      ]}
    />
  )
}

export function OrderDialog({ open, ...props }: OrderProps & { readonly open: boolean }): ReactNode {
  const say = useMessages(listingMessages)
  return (
    <Dialog open={open} title={say('orderTitle')} onClose={props.onClose}>
      <OrderForm {...props} />
    </Dialog>
  )
}

type Order = {
  readonly send: (fields: Input<'listings.order'>, network: string) => void
  readonly busy: boolean
  readonly error: unknown
}

function useOrder(listing: Listing, agreedUsd: number, buyer: string, onDone: () => void): Order {
  const say = useMessages(listingMessages)
  const format = useFormat()
  const tell = useToast()
  const goOn = useGoOn()
  const queries = useQueryClient()
  const { act } = useWallet()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // One dialog is one order: trying again after a failure repeats it and never buys twice (spec §3).
  const [reference] = useState(() => crypto.randomUUID())
  const amount = format.usd(agreedUsd)
  const send = ({ deadline_hours, custom_instructions }: Input<'listings.order'>, network: string): void => {
    setBusy(true)
    setError(undefined)
    act(
      {
        title: say('orderIntent', { title: listing.title, amount }),
        explanation: say('orderSteps', { amount }),
        payer: buyer,
        payee: listing.seller_wallet,
        amountUsd: agreedUsd,
        mostLostUsd: agreedUsd,
        network,
      },
      (client) =>
        client.orderService({
          listing_id: listing.id,
          unit_price_usd: agreedUsd,
          seller_wallet: listing.seller_wallet,
          payment_network: network,
          client_ref: reference,
          ...(deadline_hours === undefined ? {} : { deadline_hours }),
          ...(custom_instructions === undefined ? {} : { custom_instructions }),
        }),
    )
      .then(({ order }) => {
        tell(say('ordered'))
        onDone()
        // In the place of the dialog: Back is back to the service.
        return goOn({ to: '/my/tasks/$taskId', params: { taskId: order.task_id }, replace: true })
      })
      .catch(setError)
      .finally(() => {
        setBusy(false)
        for (const read of ['listings.get', 'h2a.list', 'tasks.list', 'h2a.get'] as const)
          void queries.invalidateQueries({ queryKey: answerKey(read) })
      })
  }
  return { send, busy, error }
}
