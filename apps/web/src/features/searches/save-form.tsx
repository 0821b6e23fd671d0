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
import { searchMessages } from './messages.ts'
import { useFilterWords } from './use-filter-words.ts'

type FormProps = {
  /** The address of the list, as it was. */
  readonly search: Search
  readonly searches: readonly SavedSearch[]
  readonly onClose: () => void
}

/** What was looked for gets a name, to hear of more of it. */
export function SaveForm({ search, searches, onClose }: FormProps): ReactNode {
  const say = useMessages(searchMessages)
  const tell = useToast()
  const wordsOf = useFilterWords()
  const free = freeSlot(searches, limits.savedSearches)
  const [slot, setSlot] = useState(free ?? searches[0]?.slot ?? 1)
  const [name, setName] = useState(wordsOf(savedOf(search)).slice(0, limits.searchNameMax))
  const [isWrong, setWrong] = useState(false)
  const save = useChange('searches.save', ['searches.list'])
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const given = name.trim()
    const isBad = given === '' || given.length > limits.searchNameMax
    setWrong(isBad)
    if (isBad) {
      focusFault(event.currentTarget)
      return
    }
    save.mutate(
      { slot, name: given, ...savedOf(search) },
      {
        onSuccess: () => {
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
        value={name}
        autoComplete="off"
        maxLength={limits.searchNameMax}
        error={isWrong ? say('nameBad', { most: limits.searchNameMax }) : undefined}
        onChange={({ target }) => {
          setName(target.value)
        }}
      />
      {free === undefined && <Replaced searches={searches} slot={slot} choose={setSlot} />}
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
