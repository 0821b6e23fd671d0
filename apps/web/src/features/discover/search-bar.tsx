import type { ReactNode } from 'react'
import { taskOrders } from '@ergon/contract'
import { SearchField } from '../../components/search-field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { readFilters } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'

type OrderProps = { readonly search: Search; readonly onChange: (search: Search) => void }
type BarProps = OrderProps & { readonly children: ReactNode }

const orderNames = { newest: 'byNewest', bounty: 'byBounty', deadline: 'byDeadline' } as const

/** Words to look for, and beside them the way to the filters. */
export function SearchBar({ search, onChange, children }: BarProps): ReactNode {
  const say = useMessages(discoverMessages)
  return (
    <SearchField
      label={say('search')}
      words={search['q']}
      onSearch={(q) => {
        onChange({ ...search, q })
      }}
    >
      {children}
    </SearchField>
  )
}

/** What comes first of what is found. */
export function Order({ search, onChange }: OrderProps): ReactNode {
  const say = useMessages(discoverMessages)
  const isNear = search['near'] !== undefined
  return (
    <select
      aria-label={say('order')}
      className="select-quiet"
      value={readFilters(search).order ?? (isNear ? '' : 'newest')}
      onChange={({ target: { value } }) => {
        onChange({ ...search, sort: value === '' || (value === 'newest' && !isNear) ? undefined : value })
      }}
    >
      {isNear && <option value="">{say('byDistance')}</option>}
      {taskOrders.map((order) => (
        <option key={order} value={order}>
          {say(orderNames[order])}
        </option>
      ))}
    </select>
  )
}
