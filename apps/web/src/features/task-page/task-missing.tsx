import type { ReactNode } from 'react'
import { ErgonError } from '@ergon/sdk'
import { AsAnother } from '../../components/as-another.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Page } from '../../components/page.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { taskMessages } from './messages.ts'

const reasons = {
  404: ['missingTitle', 'missing'],
  410: ['goneTitle', 'gone'],
  401: ['hiddenTitle', 'hiddenSignedOut'],
  403: ['hiddenTitle', 'hidden'],
  422: ['missingTitle', 'missing'],
} as const

/** Why there is no task to see here, and where to go instead. */
export function TaskMissing({
  taskId,
  error,
  isVisitor,
  retry,
}: {
  readonly taskId: string
  readonly error: Error
  readonly isVisitor: boolean
  readonly retry: () => void
}): ReactNode {
  const say = useMessages(taskMessages)
  const common = useMessages(commonMessages)
  const status = error instanceof ErgonError ? error.status : 0
  const known = status in reasons ? reasons[status as keyof typeof reasons] : undefined
  if (known === undefined)
    return (
      <Page title={say('task')}>
        <Failure error={error} retry={retry} />
      </Page>
    )
  const isHidden = known[0] === 'hiddenTitle' || known[0] === 'goneTitle'
  return (
    <Page title={say(known[0])} lead={say(isHidden && isVisitor && status !== 410 ? 'hiddenSignedOut' : known[1])}>
      {isHidden && !isVisitor && <AsAnother />}
      <div className="flex flex-wrap gap-3">
        {isHidden && isVisitor && (
          <LinkButton to="/sign-in" search={{ then: `/tasks/${encodeURIComponent(taskId)}` }} kind="primary">
            {common('signIn')}
          </LinkButton>
        )}
        <LinkButton to="/find">{say('back')}</LinkButton>
      </div>
    </Page>
  )
}
