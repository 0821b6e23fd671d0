import type { ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { areAll, areBackwards, searchOfDays, type Days } from './days.ts'
import { moneyMessages } from './messages.ts'

/** The first and the last day; what the form says goes into the address, and the address fills it in. */
export function DayFilter({ days }: { readonly days: Days }): ReactNode {
  const say = useMessages(moneyMessages)
  const navigate = useNavigate()
  return (
    <details open={!areAll(days)}>
      <summary className="link inline-flex min-h-11 items-center">{say('chooseDays')}</summary>
      <form
        // Another address is another form: its fields begin with what the address says.
        key={JSON.stringify(days)}
        className="mt-2 grid items-start gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({ to: '/my/spend', search: searchOfDays(new FormData(event.currentTarget)) })
        }}
      >
        <TextField label={say('from')} hint={say('days')} name="from" type="date" defaultValue={days.from ?? ''} />
        <TextField
          label={say('until')}
          name="until"
          type="date"
          defaultValue={days.until ?? ''}
          error={areBackwards(days) ? say('backwards') : undefined}
        />
        <div className="flex flex-wrap gap-3 sm:col-span-2">
          <Button type="submit">{say('apply')}</Button>
          {!areAll(days) && (
            <LinkButton to="/my/spend" search={{}} kind="quiet">
              {say('all')}
            </LinkButton>
          )}
        </div>
      </form>
    </details>
  )
}
