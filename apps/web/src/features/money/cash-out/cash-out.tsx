import { useState, type ReactNode } from 'react'
import { limits } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { SelectField } from '../../../components/field.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Loading, Note } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { useRead } from '../../../lib/market.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { CashOutForm } from './cash-out-form.tsx'
import { cashOutMessages } from './cash-out-messages.ts'
import { OnItsWay } from './cash-out-receipt.tsx'
import { EarlierCashOuts } from './earlier-cash-outs.tsx'

type Balances = Output<'payments.balance'>['balances']
type Sendable = Output<'cashOuts.list'>['sendable'][number]
type CashOutProps = {
  readonly wallet: string
  /** What the wallet holds, as far as the chains answered. */
  readonly balances: Balances
  readonly preferred: string | undefined
  /** The way by the wallet itself, for whoever has nothing to send without gas. */
  readonly otherwise: ReactNode
}

const shown = 3

/** Sends what was earned to another address by one signature; explains the way by the wallet where there is nothing. */
export function CashOut({ wallet, balances, preferred, otherwise }: CashOutProps): ReactNode {
  const say = useMessages(cashOutMessages)
  const common = useMessages(commonMessages)
  const [chosen, choose] = useState<string>()
  // Its receipt stays when there is nothing left to send.
  const [begun, begin] = useState<Sendable>()
  const { data, error } = useRead(
    'cashOuts.list',
    { limit: shown },
    // One whose answer was lost is not in the list until the service has it.
    {
      refetchInterval: ({ state }) =>
        state.data?.cash_outs.some(isSending) === true ? 2_000 : begun === undefined ? false : 5_000,
    },
  )
  if (data === undefined) {
    if (error === null) return <Loading says={common('loading')} />
    return (
      <div className="grid gap-5">
        <Note tone="warn" role="status" title={say('unread')} />
        {otherwise}
      </div>
    )
  }
  const mostOf = ({ network, token, amount_usd }: Sendable): number => {
    const held = balances.find((it) => it.network === network && it.token === token)?.balance_usd
    return Math.min(amount_usd, held ?? amount_usd)
  }
  const worth = data.sendable.filter((it) => mostOf(it) >= limits.cashOutMinUsd)
  const one =
    worth.find((it) => keyOf(it) === (begun === undefined ? chosen : keyOf(begun))) ??
    begun ??
    worth.find(({ network }) => network === preferred) ??
    worth[0]
  const earlier = <EarlierCashOuts cashOuts={data.cash_outs} />
  // Whoever comes back meanwhile signs no second one.
  if (begun === undefined && data.cash_outs.some(isSending))
    return (
      <div className="grid gap-5">
        <OnItsWay />
        {earlier}
      </div>
    )
  if (one === undefined)
    return (
      <div className="grid gap-5">
        <p className="text-quiet">{say('none')}</p>
        {otherwise}
        {earlier}
      </div>
    )
  return (
    <div className="grid gap-5">
      {worth.length > 1 && begun === undefined && <Which of={worth} chosen={one} choose={choose} />}
      <CashOutForm
        key={keyOf(one)}
        wallet={wallet}
        network={one.network}
        token={one.token}
        most={mostOf(one)}
        earlier={data.cash_outs}
        onSend={() => {
          begin(one)
        }}
        onMore={() => {
          begin(undefined)
        }}
      />
      {earlier}
    </div>
  )
}

type WhichProps = {
  readonly of: readonly Sendable[]
  readonly chosen: Sendable
  readonly choose: (key: string) => void
}

function Which({ of, chosen, choose }: WhichProps): ReactNode {
  const say = useMessages(cashOutMessages)
  const networkTitle = useNetworkTitle()
  return (
    <SelectField
      label={say('from')}
      value={keyOf(chosen)}
      onChange={({ target }) => {
        choose(target.value)
      }}
    >
      {of.map((one) => (
        <option key={keyOf(one)} value={keyOf(one)}>
          {say('holding', { token: one.token, network: networkTitle(one.network) })}
        </option>
      ))}
    </SelectField>
  )
}

const keyOf = ({ network, token }: { readonly network: string; readonly token: string }): string =>
  `${network} ${token}`
const isSending = ({ status }: { readonly status: string }): boolean => status === 'sending'
