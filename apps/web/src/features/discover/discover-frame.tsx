import { useRef, type ReactNode } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { FilterForm } from './filter-form.tsx'
import { filterNames } from '../../lib/filters.ts'
import { discoverMessages } from './messages.ts'
import { QuickFilters } from './quick-filters.tsx'
import { Order, SearchBar } from './search-bar.tsx'

type FrameProps = {
  readonly at: '/find' | '/map'
  readonly search: Search
  /** How many there are, beside the order they come in. */
  readonly count: ReactNode
  readonly children: ReactNode
}

/** The filters beside what they leave; on a small screen they open above it, and the address says so. */
export function DiscoverFrame({ at, search, count: found, children }: FrameProps): ReactNode {
  const say = useMessages(discoverMessages)
  const navigate = useNavigate()
  const count = filterNames.filter((name) => search[name] !== undefined).length
  const isOpen = search['filters'] === 'open'
  const results = useRef<HTMLDivElement>(null)
  // Where they are folded away they are not drawn: a phone would work on them before it shows a task.
  const isWide = useIsWide()
  const go = (next: Search): void => {
    void navigate({ to: at, search: next, replace: true, resetScroll: false })
  }
  return (
    <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[17rem_1fr]">
      <div className="lg:col-span-2">
        <SearchBar search={search} onChange={go}>
          <Button
            aria-expanded={isOpen}
            aria-label={count === 0 ? say('filters') : say('showFilters', { count })}
            className="relative w-12 flex-none px-0 lg:hidden"
            onClick={() => {
              go({ ...search, filters: isOpen ? undefined : 'open' })
            }}
          >
            <Icon name="sliders-horizontal-bold" className="text-[1.25rem]" />
            {count > 0 && (
              <span aria-hidden="true" className="numbers filter-count">
                {count}
              </span>
            )}
          </Button>
        </SearchBar>
      </div>
      <div
        className={`lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:-ml-1 lg:pr-2 lg:pb-4 lg:pl-1 ${isOpen ? '' : 'max-lg:hidden'}`}
      >
        <div className="grid">
          {(isOpen || isWide) && (
            <FilterForm
              key={filterNames.map((name) => search[name]).join('\n')}
              search={search}
              onChange={(next) => {
                go(next)
                // The form is drawn anew; whoever goes on by keyboard goes on with what it found.
                results.current?.focus({ preventScroll: true })
              }}
            />
          )}
        </div>
      </div>
      <div ref={results} tabIndex={-1} className="grid min-w-0 gap-4 outline-none">
        <QuickFilters at={at} search={search} onChange={go} />
        <div className="flex items-center justify-between gap-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3">{found}</div>
          <Order search={search} onChange={go} />
        </div>
        {children}
      </div>
    </div>
  )
}

/** List and map are two views of the same filters. */
export function ViewLinks({ search }: { readonly search: Search }): ReactNode {
  const say = useMessages(discoverMessages)
  const className = 'gap-2 max-wide:px-3'
  return (
    <nav aria-label={say('views')} className="segments">
      <Link to="/find" search={search} activeOptions={{ exact: true, includeSearch: false }} className={className}>
        <Icon name="list-bullets-bold" className="max-sm:hidden" />
        {say('list')}
      </Link>
      <Link to="/map" search={search} activeOptions={{ includeSearch: false }} className={className}>
        <Icon name="map-trifold-bold" className="max-sm:hidden" />
        {say('map')}
      </Link>
    </nav>
  )
}
