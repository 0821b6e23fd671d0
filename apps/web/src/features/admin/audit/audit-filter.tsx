import { useState, type ReactNode } from 'react'
import { runConfigKeys } from '@ergon/contract'
import { useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../../../components/button.tsx'
import { TextField } from '../../../components/field.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { auditMessages } from './messages.ts'
import { subjectMax } from './page-address.ts'

const suggestions = 'audit-subjects'

/** Shows the lines about one thing; the address names what is asked for. */
export function AuditFilter({ subject }: { readonly subject: string | undefined }): ReactNode {
  const say = useMessages(auditMessages)
  const navigate = useNavigate()
  const [typed, setTyped] = useState(subject ?? '')
  return (
    <form
      role="search"
      className="card grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ to: '/admin/audit', search: typed.trim() === '' ? {} : { subject: typed.trim() } })
      }}
    >
      <TextField
        label={say('filter')}
        hint={say('filterHelp')}
        list={suggestions}
        maxLength={subjectMax}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
        }}
      />
      <datalist id={suggestions}>
        {runConfigKeys.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <div className="flex flex-wrap gap-3 sm:mt-7.5">
        <Button type="submit">{say('show')}</Button>
        {subject !== undefined && (
          <LinkButton to="/admin/audit" search={{}} kind="quiet">
            {say('all')}
          </LinkButton>
        )}
      </div>
    </form>
  )
}
