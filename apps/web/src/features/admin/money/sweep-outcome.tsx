import type { ReactNode } from 'react'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Note, type Tone } from '../../../components/surface.tsx'
import { Transaction } from '../../../components/transaction.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { assetName } from './asset-table.tsx'
import { moneyMessages } from './messages.ts'
import type { Sweeps } from './sweep-dialog.tsx'

const tones: Readonly<Record<Sweeps[number]['state'], Tone>> = {
  swept: 'good',
  in_flight: 'warn',
  nothing: 'plain',
  refused: 'bad',
}

/** What became of a sweep, with its transaction. */
export function SweepOutcome({ sweeps }: { readonly sweeps: Sweeps }): ReactNode {
  const say = useMessages(moneyMessages)
  const networkTitle = useNetworkTitle()
  const format = useFormat()
  if (sweeps.length === 0)
    return (
      <Note role="status" title={say('outcome')}>
        <p>{say('noneSwept')}</p>
      </Note>
    )
  return (
    <div role="status" className="grid gap-3">
      {sweeps.map((sweep) => (
        <Note
          key={assetName(sweep)}
          tone={tones[sweep.state]}
          title={`${say('outcome')}: ${sweep.token}, ${networkTitle(sweep.network)}`}
        >
          <p>{say(`state.${sweep.state}`, { amount: format.usd(sweep.amount_usd ?? 0) })}</p>
          {sweep.tx_hash !== null && (
            <p>
              {say('transaction')}: <Transaction hash={sweep.tx_hash} network={sweep.network} />
            </p>
          )}
        </Note>
      ))}
    </div>
  )
}
