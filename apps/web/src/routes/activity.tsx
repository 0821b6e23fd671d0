import type { ReactNode } from 'react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { categories, type Category } from '@ergon/contract'
import { Button } from '../components/button.tsx'
import { SelectField } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { Badge } from '../components/surface.tsx'
import { ActivityList } from '../features/activity/activity-list.tsx'
import { activityMessages } from '../features/activity/messages.ts'
import { useLiveEvents } from '../features/activity/use-live-events.ts'
import { useMessages } from '../lib/i18n.tsx'
import { wordMessages } from '../messages/words.ts'

const route = getRouteApi('/activity')

/** What happens in public, live until it is paused. */
export function ActivityScreen(): ReactNode {
  const say = useMessages(activityMessages)
  const word = useMessages(wordMessages)
  const search = route.useSearch()
  const navigate = useNavigate()
  const category = categories.find((one) => one === search['category'])
  const isPaused = search['paused'] !== undefined
  const go = (next: Readonly<Record<string, string | undefined>>): void => {
    void navigate({ to: '/activity', search: { ...search, ...next }, replace: true, resetScroll: false })
  }
  return (
    <Page title={say('title')} lead={say('lead')}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-[min(14rem,100%)] grow sm:grow-0">
          <SelectField
            label={say('category')}
            value={category ?? ''}
            onChange={({ target }) => {
              go({ category: target.value === '' ? undefined : target.value })
            }}
          >
            <option value="">{say('any')}</option>
            {categories.map((one) => (
              <option key={one} value={one}>
                {word(`category.${one}`)}
              </option>
            ))}
          </SelectField>
        </div>
        <Button
          onClick={() => {
            go({ paused: isPaused ? undefined : '1' })
          }}
        >
          {say(isPaused ? 'resume' : 'pause')}
        </Button>
      </div>
      <Stream key={category ?? ''} category={category} isPaused={isPaused} />
    </Page>
  )
}

function Stream({
  category,
  isPaused,
}: {
  readonly category: Category | undefined
  readonly isPaused: boolean
}): ReactNode {
  const say = useMessages(activityMessages)
  const live = useLiveEvents(category, isPaused)
  return (
    <>
      <p role="status">
        <Badge tone={isPaused ? 'plain' : live.state === 'live' ? 'good' : 'warn'}>
          {say(isPaused ? 'paused' : live.state)}
        </Badge>
      </p>
      <ActivityList live={live} isPaused={isPaused} />
    </>
  )
}
