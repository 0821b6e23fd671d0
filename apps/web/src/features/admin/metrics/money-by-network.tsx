import type { ReactNode } from 'react'
import { moneyFindingKinds } from '@ergon/contract'
import { LinkButton } from '../../../components/button.tsx'
import { Money } from '../../../components/money.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Card, Empty, Facts } from '../../../components/surface.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Metrics } from './attention.tsx'
import { metricsMessages } from './messages.ts'

const sums = [
  ['locked', 'locked_usd'],
  ['paid', 'paid_usd'],
  ['accrued', 'fees_accrued_usd'],
  ['swept', 'fees_swept_usd'],
  ['doubt', 'in_doubt_usd'],
] as const

/** Where the money of each token is, and what the comparison with the chains has found. */
export function MoneyByNetwork({ money }: { readonly money: Metrics['money'] }): ReactNode {
  const say = useMessages(metricsMessages)
  const networkTitle = useNetworkTitle()
  return (
    <section aria-labelledby="money" className="grid content-start gap-3">
      <h2 id="money">{say('money')}</h2>
      <p className="text-quiet">{say('moneyLead')}</p>
      {money.assets.length === 0 && <Empty title={say('moneyNone')} />}
      {money.assets.map((asset) => (
        <Card key={`${asset.network}:${asset.token}`} as="article" className="grid gap-3 [&_dd]:text-right">
          <h3>{`${asset.token} · ${networkTitle(asset.network)}`}</h3>
          <Facts rows={sums.map(([name, field]) => [say(name), <Money key={field} usd={asset[field]} />])} />
        </Card>
      ))}
      {money.findings_unresolved > 0 && <FindingKinds findings={money.findings} />}
      <div>
        <LinkButton to="/admin/money">{say('seeMoney')}</LinkButton>
      </div>
    </section>
  )
}

function FindingKinds({ findings }: { readonly findings: Metrics['money']['findings'] }): ReactNode {
  const say = useMessages(metricsMessages)
  const format = useFormat()
  const open = moneyFindingKinds.flatMap((kind) =>
    (findings[kind] ?? 0) > 0 ? [{ kind, n: findings[kind] ?? 0 }] : [],
  )
  return (
    <Card>
      <table className="w-full text-left">
        <caption className="pb-2 text-left font-semibold">{say('kinds')}</caption>
        <thead>
          <tr className="border-b border-line text-sm text-quiet">
            <th scope="col" className="py-2 pr-2">
              {say('kind')}
            </th>
            <th scope="col" className="py-2 text-right">
              {say('kindCount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {open.map(({ kind, n }) => (
            <tr key={kind} className="border-b border-line last:border-0">
              <th scope="row" className="py-2 pr-2 font-normal">
                {say(`kind.${kind}`)}
              </th>
              <td className="numbers py-2 text-right font-semibold text-bad">{format.number(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
