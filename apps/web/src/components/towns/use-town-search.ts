import { useDeferredValue, useMemo, useState, type KeyboardEvent } from 'react'
import type { Point } from '../../lib/geo.ts'
import { needTowns, useKnownTowns } from './known-towns.ts'
import { searchTowns, type FoundTown } from './search-towns.ts'
import { useAddresses, type Addresses, type FoundAddress } from './use-addresses.ts'
import { useTownNames } from './use-town-names.ts'

const mostShown = 8
const none: readonly FoundTown[] = []

/** A place that was taken by its name: the middle of a town, or an address. */
export type ChosenPlace = { readonly at: Point; readonly isTown: boolean }
/** What can be taken from the list: towns, and addresses below them. */
export type Option = { readonly town: FoundTown } | { readonly address: FoundAddress }

export type TownSearch = {
  readonly text: string
  /** The name of the place that was taken, until something else is typed. */
  readonly chosen: string | undefined
  readonly isOpen: boolean
  readonly known: ReturnType<typeof useKnownTowns>['state']
  readonly addresses: Addresses
  readonly found: readonly Option[]
  /** The place in the list that the keys are at, and what is there while the list is open. */
  readonly at: number
  readonly active: Option | undefined
  readonly type: (typed: string) => void
  readonly choose: (one: Option) => void
  readonly close: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** What is typed, what is found for it, and what the keys of a combobox do with both. */
export function useTownSearch(onChoose: (place: ChosenPlace) => void): TownSearch {
  const names = useTownNames()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const { known, found: towns } = useFoundTowns(isOpen ? text : '')
  const addresses = useAddresses(isOpen ? text : '')
  const found = useMemo(
    (): readonly Option[] => [...towns.map((town) => ({ town })), ...addresses.found.map((address) => ({ address }))],
    [towns, addresses.found],
  )
  const active = isOpen ? found[at] : undefined
  const choose = (one: Option): void => {
    const name = 'town' in one ? names.town(one.town.town) : one.address.name
    setText(name)
    setChosen(name)
    setOpen(false)
    onChoose('town' in one ? { at: one.town.town, isTown: true } : { at: one.address, isTown: false })
  }
  const type = (typed: string): void => {
    setText(typed)
    setChosen(undefined)
    setOpen(typed.trim() !== '')
    setAt(0)
    if (typed.trim() !== '') void needTowns()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) {
      if (isOpen) setAt(found.length === 0 ? 0 : (at + move + found.length) % found.length)
      else type(text)
    } else if (event.key === 'Enter') {
      // Whoever takes a place does not mean to send the form around it.
      if (active !== undefined) choose(active)
    } else if (event.key === 'Escape' && (isOpen || text !== '')) {
      if (isOpen) setOpen(false)
      else type('')
    } else return
    event.preventDefault()
  }
  const close = (): void => {
    setOpen(false)
  }
  return { text, chosen, isOpen, known, addresses, found, at, active, type, choose, close, onKeyDown }
}

/** The towns for a text; a letter is drawn before its towns are looked for. */
function useFoundTowns(text: string): {
  readonly known: ReturnType<typeof useKnownTowns>['state']
  readonly found: readonly FoundTown[]
} {
  const towns = useKnownTowns()
  const names = useTownNames()
  const asked = useDeferredValue(text)
  const found = useMemo(
    () => (towns.state !== 'here' || asked === '' ? none : searchTowns(towns.index, asked, mostShown, names.country)),
    [towns, asked, names],
  )
  return { known: towns.state, found }
}
