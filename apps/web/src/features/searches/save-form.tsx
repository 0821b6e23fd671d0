import { useState, type FormEvent, type ReactNode } from 'react'
import { limits } from '@ergon/contract'
import { Failure } from '../../components/failure.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormEnd } from '../../components/form-end.tsx'
import { Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { freeSlot, losesSome, savedOf, type SavedSearch } from '../../lib/saved-filter.ts'
import type { Search } from '../../lib/search.ts'
import { focusFault } from '../../lib/show-faults.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { searchMessages } from './messages.ts'
import { useFilterWords } from './use-filter-words.ts'

type FormProps = {
  /** The address of the list, as it was. */
  readonly search: Search
  readonly searches: readonly SavedSearch[]
  readonly onClose: () => void
}

/** A name that was typed for one search is none for the next: `of` says which it is. */
type SearchDraft = { readonly of: string; readonly name: string; readonly slot: number }
const untouched: SearchDraft = { of: '', name: '', slot: 0 }

/** What was looked for gets a name, to hear of more of it. */
export function SaveForm({ search, searches, onClose }: FormProps): ReactNode {
  const say = useMessages(searchMessages)
  const tell = useToast()
  const wordsOf = useFilterWords()
  const free = freeSlot(searches, limits.savedSearches)
  const filter = savedOf(search)
  const of = JSON.stringify(filter)
  const given: SearchDraft = {
    of,
    name: wordsOf(filter).slice(0, limits.searchNameMax),
    slot: free ?? searches[0]?.slot ?? 1,
  }
  const [typed, change, forget] = useDraft('search', untouched)
  const draft = typed.of === of ? typed : given
  const slot = free ?? (searches.some((one) => one.slot === draft.slot) ? draft.slot : given.slot)
  const type = (part: Partial<SearchDraft>): void => change({ ...draft, ...part })
  const [isWrong, setWrong] = useState(false)
  const save = useChange('searches.save', ['searches.list'])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = draft.name.trim()
    const isBad = name === '' || name.length > limits.searchNameMax
    setWrong(isBad)
    if (isBad) {
      focusFault(event.currentTarget)
      return
    }
    save.mutate(
      { slot, name, ...filter },
      {
        onSuccess: () => {
          forget()
          tell(say('saved'))
          onClose()
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} aria-label={say('title')} className="grid gap-4">
      <h3>{say('title')}</h3>
      <p className="text-quiet">{say('says')}</p>
      {losesSome(search) && (
        <Note>
          <p>{say('loses')}</p>
        </Note>
      )}
      <TextField
        label={say('name')}
        value={draft.name}
        autoComplete="off"
        maxLength={limits.searchNameMax}
        error={isWrong ? say('nameBad', { most: limits.searchNameMax }) : undefined}
        onChange={({ target }) => {
          type({ name: target.value })
        }}
      />
      {free === undefined && <Replaced searches={searches} slot={slot} choose={(chosen) => type({ slot: chosen })} />}
      {save.error !== null && <Failure error={save.error} />}
      <FormEnd onCancel={onClose} busy={save.isPending}>
        {say('save')}
      </FormEnd>
    </form>
  )
}

type ReplacedProps = Pick<FormProps, 'searches'> & { readonly slot: number; readonly choose: (slot: number) => void }

/** Every place is taken: which search gives way. */
function Replaced({ searches, slot, choose }: ReplacedProps): ReactNode {
  const say = useMessages(searchMessages)
  return (
    <SelectField
      label={say('replace')}
      hint={say('full', { most: limits.savedSearches })}
      value={slot}
      onChange={({ target }) => {
        choose(Number(target.value))
      }}
    >
      {searches.map((one) => (
        <option key={one.slot} value={one.slot}>
          {one.name}
        </option>
      ))}
    </SelectField>
  )
}
