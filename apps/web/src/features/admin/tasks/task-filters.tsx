import type { ReactNode } from 'react'
import { taskStatuses } from '@ergon/contract'
import { useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../../../components/button.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { Card } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Search } from '../../../lib/search.ts'
import { wordMessages } from '../../../messages/words.ts'
import { searchOfForm } from './filter.ts'
import { adminTaskMessages } from './messages.ts'

/** The filters as a form; what it says goes into the address, and the address fills it in. */
export function TaskFilters({ search }: { readonly search: Search }): ReactNode {
  const say = useMessages(adminTaskMessages)
  const words = useMessages(wordMessages)
  const navigate = useNavigate()
  const { status = '', search: text = '' } = search
  return (
    <Card as="section">
      <h2 className="visually-hidden">{say('filters')}</h2>
      <form
        // Another question is another form: its fields begin with what the address says.
        key={`${status}\n${text}`}
        className="grid items-start gap-4 sm:grid-cols-[14rem_1fr]"
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({ to: '/admin/tasks', search: searchOfForm(new FormData(event.currentTarget)) })
        }}
      >
        <SelectField label={say('status')} name="status" defaultValue={status}>
          <option value="">{say('anyStatus')}</option>
          {taskStatuses.map((one) => <option key={one} value={one}>{words(`status.${one}`)}</option>)}
        </SelectField>
        <TextField label={say('search')} hint={say('searchHint')} name="search" maxLength={100} spellCheck={false} defaultValue={text} />
        <div className="flex flex-wrap gap-3 sm:col-span-2">
          <Button type="submit" kind="primary">{say('show')}</Button>
          {(status !== '' || text !== '') && <LinkButton to="/admin/tasks" search={{}} kind="quiet">{say('clear')}</LinkButton>}
        </div>
      </form>
    </Card>
  )
}
