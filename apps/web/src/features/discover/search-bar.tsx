import type { ReactNode } from 'react'
import { taskOrders } from '@ergon/contract'
import { SearchField } from '../../components/search-field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { readFilters } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'

type BarProps = { readonly search: Search; readonly onChange: (search: Search) => void }

const orderNames = { newest: 'byNewest', bounty: 'byBounty', deadline: 'byDeadline' } as const

/** Words to look for, and what comes first of what is found. */
export function SearchBar({ search, onChange }: BarProps): ReactNode {
  const say = useMessages(discoverMessages)
  return (
    <SearchField
      label={say('search')}
      words={search['q']}
      onSearch={(q) => {
        onChange({ ...search, q })
      }}
    >
      <Order search={search} onChange={onChange} />
    </SearchField>
  )
}

function Order({ search, onChange }: BarProps): ReactNode {
  const say = useMessages(discoverMessages)
  const isNear = search['near'] !== undefined
  return (
    <select
      aria-label={say('order')}
      className="input input-order"
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
