import type { ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Card, Empty } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { Search } from '../../lib/search.ts'
import { isFiltered, searchOfForm } from './list-address.ts'
import { listMessages } from './list-messages.ts'

export type ListPath = '/admin/tasks' | '/admin/workers'
type FiltersProps = {
  readonly to: ListPath
  readonly search: Search
  readonly statuses: readonly (readonly [status: string, name: string])[]
  readonly searchHint: string
}

/** The filters of a list as a form; what it says goes into the address, and the address fills it in. */
export function ListFilters({ to, search, statuses, searchHint }: FiltersProps): ReactNode {
  const say = useMessages(listMessages)
  const navigate = useNavigate()
  const { status = '', search: text = '' } = search
  return (
    <Card as="section">
      <h2 className="visually-hidden">{say('filters')}</h2>
      <form
        // Another question is another form: its fields begin with what the address says.
        key={`${status}\n${text}`}
        className="grid items-start gap-4 sm:grid-cols-[14rem_minmax(0,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({ to, search: searchOfForm(new FormData(event.currentTarget)) })
        }}
      >
        <SelectField label={say('status')} name="status" defaultValue={status}>
          <option value="">{say('anyStatus')}</option>
          {statuses.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('search')}
          hint={searchHint}
          name="search"
          maxLength={100}
          spellCheck={false}
          defaultValue={text}
        />
        <div className="flex flex-wrap gap-3 sm:mt-7.5">
          <Button type="submit" kind="primary">
            {say('show')}
          </Button>
          {(status !== '' || text !== '') && (
            <LinkButton to={to} search={{}} kind="quiet">
              {say('clear')}
            </LinkButton>
          )}
        </div>
      </form>
    </Card>
  )
}

/** Nothing in the list: because of what was asked, with the way back to everything, or because there is nothing. */
export function NothingFound({
  to,
  search,
  none,
  noneAtAll,
}: {
  readonly to: ListPath
  readonly search: Search
  readonly none: string
  readonly noneAtAll: string
}): ReactNode {
  const say = useMessages(listMessages)
  if (!isFiltered(search)) return <Empty title={noneAtAll} />
  return (
    <Empty title={none}>
      <p className="text-quiet">{say('noneHelp')}</p>
      <LinkButton to={to} search={{}}>
        {say('clear')}
      </LinkButton>
    </Empty>
  )
}
