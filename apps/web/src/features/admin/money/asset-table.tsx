import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { LinkButton } from '../../../components/button.tsx'
import { Money } from '../../../components/money.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Empty } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { moneyMessages } from './messages.ts'

export type AssetMoney = Output<'admin.metrics'>['money']['assets'][number]
export const assetName = ({ network, token }: Pick<AssetMoney, 'network' | 'token'>): string => `${network}:${token}`

const columns = [
  ['locked', 'locked_usd'],
  ['doubt', 'in_doubt_usd'],
  ['paid', 'paid_usd'],
  ['swept', 'fees_swept_usd'],
  ['accrued', 'fees_accrued_usd'],
] as const
const cell =
  'flex justify-between gap-4 py-1 before:text-quiet before:content-[attr(data-name)] md:table-cell md:px-3 md:py-3 md:text-right md:before:content-none'

/** What is held, paid and collected in each token, and the way to sweep what waits. */
export function AssetTable({ assets }: { readonly assets: readonly AssetMoney[] }): ReactNode {
  const say = useMessages(moneyMessages)
  const networkTitle = useNetworkTitle()
  if (assets.length === 0) return <Empty title={say('assetsNone')} />
  return (
    <table className="grid w-full gap-3 text-left md:table">
      <caption className="visually-hidden">{say('assetsCaption')}</caption>
      <thead className="hidden md:table-header-group">
        <tr className="border-b border-line text-sm text-quiet">
          <th scope="col" className="px-3 py-2 font-semibold">
            {say('asset')}
          </th>
          {columns.map(([name]) => (
            <th key={name} scope="col" className="px-3 py-2 text-right font-semibold">
              {say(name)}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{say('sweep')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="grid gap-3 md:table-row-group">
        {assets.map((asset) => (
          <tr
            key={assetName(asset)}
            className="block rounded-card border border-line bg-surface p-5 md:table-row md:rounded-none md:border-0 md:border-b md:bg-transparent md:p-0"
          >
            <th scope="row" className="block pb-2 font-normal md:table-cell md:px-3 md:py-3">
              <span className="font-semibold">{asset.token}</span>{' '}
              <span className="text-quiet">{networkTitle(asset.network)}</span>
            </th>
            {columns.map(([name, field]) => (
              <td key={name} data-name={say(name)} className={cell}>
                <Money usd={asset[field]} />
              </td>
            ))}
            <td className="block pt-2 md:table-cell md:px-3 md:py-3 md:text-right">
              {asset.fees_accrued_usd > 0 ? (
                <LinkButton
                  to="/admin/money"
                  search={{ sweep: assetName(asset) }}
                  resetScroll={false}
                  aria-label={say('sweepOf', { asset: `${asset.token}, ${networkTitle(asset.network)}` })}
                >
                  {say('sweep')}
                </LinkButton>
              ) : (
                <span className="text-sm text-quiet">{say('nothingWaits')}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
