import { useState, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { Output } from '@ergon/sdk'
import { Button, LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { useMeterTerms } from '../../components/metered/use-meter-terms.ts'
import { Note } from '../../components/surface.tsx'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { keepDraft, readDraft } from '../../lib/use-draft.ts'
import { repeatMessages } from './repeat-messages.ts'

/** Fills the form of a new task with this one. What is typed there already goes only when its person says so. */
export function RepeatButton({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(repeatMessages)
  const { locale } = useSpeech()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const place = useRead('tasks.location', { task_id: task.id }, { enabled: task.area !== null, staleTime: 60_000 })
  const { terms, error } = useMeterTerms(task)
  const [unfilled, setUnfilled] = useState<unknown>()
  const fillIn = async (): Promise<void> => {
    setUnfilled(undefined)
    const { draftOfTask } = await import('./draft-of-task.ts')
    keepDraft('publish', draftOfTask(task, { place: place.data, terms: terms ?? undefined }, locale))
    await navigate({ to: '/publish', search: {} })
  }
  const fill = (): void => {
    fillIn().catch(setUnfilled)
  }
  const begin = (): void => {
    const { title = '', instructions = '' } = readDraft<{ title: string; instructions: string }>('publish')
    if (`${title}${instructions}`.trim() === '') fill()
    else setAsks(true)
  }
  if (error !== null) return <Failure error={error} />
  if (place.error !== null && place.data === undefined) return <Failure error={place.error} />
  // Until that is known, the second might be paid in another way than the first, or be done nowhere.
  if (terms === undefined || (task.area !== null && place.data === undefined)) return null
  if (unfilled !== undefined) return <Failure error={unfilled} retry={fill} />
  if (!asks) return <Button onClick={begin}>{say('repeat')}</Button>
  return (
    <Note tone="warn" role="alert" title={say('draftThere')}>
      <div className="flex flex-wrap gap-2 pt-1">
        <LinkButton to="/publish">{say('draftOpen')}</LinkButton>
        <Button onClick={fill}>{say('draftReplace')}</Button>
      </div>
    </Note>
  )
}
