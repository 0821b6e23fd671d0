import { useId, type ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { Field, inputClass } from '../field.tsx'
import { townMessages } from './messages.ts'
import type { FoundTown } from './search-towns.ts'
import { leastInhabitants, type Town } from './town.ts'
import { useTownNames } from './use-town-names.ts'
import { useTownSearch, type TownSearch } from './use-town-search.ts'

/**
 * Finds a town by its name: a combobox with a list below it (ARIA Authoring Practices, list autocomplete with automatic
 * selection). What is typed is sent to nobody; the towns are loaded with the first letter (decision 0080).
 */
export function TownField({ onChoose }: { readonly onChoose: (town: Town) => void }): ReactNode {
  const say = useMessages(townMessages)
  const listId = useId()
  const search = useTownSearch(onChoose)
  const { text, found, at, active, choose } = search
  return (
    <div className="grid gap-1.5">
      <Field label={say('find')} hint={say('hint')}>
        {(ties) => (
          <>
            <input
              {...ties}
              type="text"
              role="combobox"
              aria-autocomplete="list"
              aria-haspopup="listbox"
              aria-expanded={active !== undefined}
              aria-controls={listId}
              aria-activedescendant={active === undefined ? undefined : `${listId}-${String(at)}`}
              autoComplete="off"
              autoCapitalize="words"
              spellCheck={false}
              enterKeyHint="search"
              className={inputClass}
              value={text}
              onChange={({ target }) => search.type(target.value)}
              onKeyDown={search.onKeyDown}
              onBlur={search.close}
            />
            {/* The focus stays in the text: the keys of the list are those of the field. */}
            <TownList listId={listId} active={active} found={found} at={at} choose={choose} />
          </>
        )}
      </Field>
      <SearchStatus search={search} />
      <Source />
    </div>
  )
}

/** How the search goes, as words: for those who do not see the list, and for all while there is none. */
function SearchStatus({ search: { chosen, isOpen, known, found } }: { readonly search: TownSearch }): ReactNode {
  const say = useMessages(townMessages)
  const status =
    chosen !== undefined
      ? say('taken', { town: chosen })
      : !isOpen
        ? ''
        : known !== 'here'
          ? say(known === 'failed' ? 'failed' : 'loading')
          : found.length === 0
            ? say('none', { least: leastInhabitants })
            : say('some', { count: found.length })
  const isSilent = chosen !== undefined || found.length > 0
  return (
    <p role="status" className={isSilent ? 'visually-hidden' : 'text-sm text-quiet'}>
      {status}
    </p>
  )
}

type TownListProps = {
  readonly listId: string
  readonly active: FoundTown | undefined
  readonly found: readonly FoundTown[]
  readonly at: number
  readonly choose: (one: FoundTown) => void
}

/** The focus stays in the text: the keys of the list are those of the field. */
function TownList({ listId, active, found, at, choose }: TownListProps): ReactNode {
  const say = useMessages(townMessages)
  const names = useTownNames()
  return (
    <ul
      id={listId}
      role="listbox"
      aria-label={say('towns')}
      hidden={active === undefined}
      onMouseDown={(event) => {
        event.preventDefault()
      }}
      className="max-h-80 overflow-y-auto rounded-lg border border-edge bg-surface"
    >
      {active !== undefined &&
        found.map((one, place) => (
          <TownOption
            key={place}
            id={`${listId}-${String(place)}`}
            isActive={place === at}
            name={names.found(one)}
            beside={one.beside === undefined ? undefined : say('beside', { town: one.beside.name })}
            onChoose={() => choose(one)}
          />
        ))}
    </ul>
  )
}

function Source(): ReactNode {
  const say = useMessages(townMessages)
  return (
    <p className="text-sm text-quiet">
      {say.rich('source', {
        geonames: sourceLink('https://www.geonames.org/'),
        licence: sourceLink('https://creativecommons.org/licenses/by/4.0/'),
      })}
    </p>
  )
}

type OptionProps = {
  readonly id: string
  readonly isActive: boolean
  readonly name: string
  readonly beside: string | undefined
  readonly onChoose: () => void
}

function TownOption({ id, isActive, name, beside, onChoose }: OptionProps): ReactNode {
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      ref={isActive ? intoView : undefined}
      onClick={onChoose}
      className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 border-line px-3 py-2 not-first:border-t hover:bg-sunken aria-selected:bg-brand-soft aria-selected:font-semibold aria-selected:text-brand"
    >
      {name}
      {beside !== undefined && <span className="text-sm">{beside}</span>}
    </li>
  )
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

const sourceLink =
  (href: string) =>
  (text: readonly ReactNode[]): ReactNode => (
    <a key={href} href={href} rel="noreferrer noopener" className="link">
      {text}
    </a>
  )
