import { useId, type ReactNode } from 'react'
import { useMessages } from '../../lib/i18n.tsx'
import { Field, inputClass } from '../field.tsx'
import { townMessages } from './messages.ts'
import { OsmName } from '../osm-name.tsx'
import { leastInhabitants } from './town.ts'
import { useTownNames } from './use-town-names.ts'
import { useTownSearch, type ChosenPlace, type Option, type TownSearch } from './use-town-search.ts'

/**
 * Finds a town by its name, and an address where the service looks them up: a combobox with a list below it (ARIA
 * Authoring Practices, list autocomplete with automatic selection). Towns are looked for on this device and loaded with
 * the first letter (decision 0080); addresses are asked of the service (decision 0253).
 */
export function TownField({ onChoose }: { readonly onChoose: (place: ChosenPlace) => void }): ReactNode {
  const say = useMessages(townMessages)
  const listId = useId()
  const search = useTownSearch(onChoose)
  const { text, found, at, active, choose, addresses } = search
  const { areOffered } = addresses
  return (
    <div className="grid gap-1.5">
      <Field label={say(areOffered ? 'findPlace' : 'find')} hint={say(areOffered ? 'hintPlace' : 'hint')}>
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
            <TownList listId={listId} active={active} found={found} at={at} choose={choose} areOffered={areOffered} />
          </>
        )}
      </Field>
      <SearchStatus search={search} />
      <Source attribution={addresses.found.length > 0 ? addresses.attribution : ''} />
    </div>
  )
}

/** How the search goes, as words: for those who do not see the list, and for all while there is none. */
function SearchStatus({ search }: { readonly search: TownSearch }): ReactNode {
  const say = useMessages(townMessages)
  const { chosen, isOpen, found, addresses } = search
  const hasFailed = isOpen && addresses.state === 'failed'
  const isSilent = chosen !== undefined || (found.length > 0 && !hasFailed)
  return (
    <p role="status" className={isSilent ? 'visually-hidden' : 'text-sm text-quiet'}>
      {chosen !== undefined ? say('taken', { town: chosen }) : isOpen ? statusOf(search, say) : ''}
    </p>
  )
}

/** What is not known yet, or could not be asked, is never told as nothing found. */
function statusOf({ known, found, addresses }: TownSearch, say: Say): string {
  const { areOffered, state } = addresses
  const failed = state === 'failed' ? say('addressesFailed') : undefined
  if (found.length > 0) {
    const some = say(areOffered ? 'somePlaces' : 'some', { count: found.length })
    return failed === undefined ? some : `${failed} ${some}`
  }
  if (known !== 'here') return say(known === 'failed' ? 'failed' : 'loading')
  if (state === 'asking') return say('asking')
  return failed ?? (state === 'here' ? say('noPlace') : say('none', { least: leastInhabitants }))
}

type Say = ReturnType<typeof useMessages<keyof (typeof townMessages)['en']>>

type TownListProps = {
  readonly listId: string
  readonly active: Option | undefined
  readonly found: readonly Option[]
  readonly at: number
  readonly choose: (one: Option) => void
  readonly areOffered: boolean
}

/** The focus stays in the text: the keys of the list are those of the field. */
function TownList({ listId, active, found, at, choose, areOffered }: TownListProps): ReactNode {
  const say = useMessages(townMessages)
  const names = useTownNames()
  return (
    <ul
      id={listId}
      role="listbox"
      aria-label={say(areOffered ? 'places' : 'towns')}
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
            name={'town' in one ? names.found(one.town) : one.address.name}
            beside={
              'address' in one
                ? say('address')
                : one.town.beside === undefined
                  ? undefined
                  : say('beside', { town: one.town.beside.name })
            }
            onChoose={() => choose(one)}
          />
        ))}
    </ul>
  )
}

function Source({ attribution }: { readonly attribution: string }): ReactNode {
  const say = useMessages(townMessages)
  return (
    <p className="text-sm text-quiet">
      {say.rich('source', {
        geonames: sourceLink('https://www.geonames.org/'),
        licence: sourceLink('https://creativecommons.org/licenses/by/4.0/'),
      })}
      {attribution !== '' && (
        <>
          {' '}
          {say('addresses')} <OsmName text={attribution} />
        </>
      )}
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
