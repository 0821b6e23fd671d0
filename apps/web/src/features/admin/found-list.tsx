import type { ReactNode } from 'react'
import { Pager } from '../../components/pager.tsx'
import { ReadFault } from '../../components/read-fault.tsx'
import { Loading } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { perPage, placeOf, searchFrom } from './list-address.ts'
import { NothingFound, type ListPath } from './list-filters.tsx'

type FoundProps<T> = {
  readonly read: {
    readonly data: T | undefined
    readonly error: Error | null
    readonly refetch: () => Promise<unknown>
  }
  readonly to: ListPath
  readonly search: Search
  /** The words for how many there are, and for none. */
  readonly say: (found: T) => { readonly found: string; readonly none: string; readonly noneAtAll: string }
  /** The rows with their list; null: there are none. */
  readonly rows: (found: T) => ReactNode
}

/** What a list of the operator found: how many, a page of them, and the way to the others. */
export function FoundList<T extends { readonly has_more: boolean }>({
  read,
  to,
  search,
  say,
  rows,
}: FoundProps<T>): ReactNode {
  const common = useMessages(commonMessages)
  const { data, error } = read
  if (data === undefined) return error === null ? <Loading says={common('loading')} /> : <ReadFault of={read} />
  const offset = placeOf(search['from'])
  const { found, none, noneAtAll } = say(data)
  return (
    <>
      <ReadFault of={read} />
      <p role="status" className="text-quiet">
        {found}
      </p>
      {rows(data) ?? <NothingFound to={to} search={search} none={none} noneAtAll={noneAtAll} />}
      <Pager
        previous={offset === 0 ? undefined : { to, search: searchFrom(search, Math.max(0, offset - perPage)) }}
        next={data.has_more ? { to, search: searchFrom(search, offset + perPage) } : undefined}
      />
    </>
  )
}
