import type { ReactNode } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { Empty } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import type { Search } from '../../lib/search.ts'
import { isFiltered as hasFilters, readFilters } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'

type NothingProps = { readonly at: '/find' | '/map'; readonly search: Search }

/** Nothing fits: what is true without the filters, in numbers, and the way there. */
export function NothingFound({ at, search }: NothingProps): ReactNode {
  const say = useMessages(discoverMessages)
  const format = useFormat()
  const isFiltered = hasFilters(search)
  const { data } = useRead('tasks.available', { target_executor_type: 'human', limit: 1 }, { enabled: isFiltered })
  const { withinKm } = readFilters(search)
  const wider = withinKm === undefined ? undefined : widerThan(withinKm)
  if (!isFiltered)
    return (
      <Empty title={say(at === '/map' ? 'noneOnMap' : 'none')}>
        {at === '/find' && <p className="text-quiet">{say('noneHelp')}</p>}
        <LinkButton to="/publish">{say('publish')}</LinkButton>
      </Empty>
    )
  return (
    <Empty title={say('nothing')}>
      {data !== undefined && <p className="text-quiet">{say('without', { count: data.total })}</p>}
      <div className="flex flex-wrap gap-2">
        {wider !== undefined && (
          <LinkButton to={at} search={{ ...search, within: String(wider) }} replace>
            {say('lookWider', { distance: format.distance(wider * 1_000) })}
          </LinkButton>
        )}
        <LinkButton to={at} search={{}} replace kind={wider === undefined ? 'secondary' : 'quiet'}>
          {say('clear')}
        </LinkButton>
      </div>
    </Empty>
  )
}

const stepsKm = [10, 50, 500] as const

function widerThan(km: number): number | undefined {
  return stepsKm.find((one) => one > km)
}
