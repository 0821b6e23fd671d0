import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import type { Endpoint } from './endpoint-card.tsx'
import { webhookMessages } from './messages.ts'
import { useManageEndpoint } from './use-manage-endpoint.ts'

/** The state of the endpoint, and what moves it on; what changes it is beside what it changes. */
export function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const say = useMessages(webhookMessages)
  const { verify, update, test, set, sendChallenge, sendTest } = useManageEndpoint(endpoint)
  const isVerified = endpoint.verified_at !== null
  const isOn = endpoint.status === 'active'
  return (
    <div className="grid gap-4">
      <Standing endpoint={endpoint} />
      {verify.error !== null && (
        <>
          <Failure error={verify.error} />
          <p className="text-quiet">{say('challengeLogged')}</p>
        </>
      )}
      {update.error !== null && <Failure error={update.error} />}
      {test.error !== null && <Failure error={test.error} />}
      <div className="flex flex-wrap gap-3">
        {/* A button that did its work becomes the next one, so that the focus stays where it was. */}
        <Button
          kind={isVerified && !isOn ? 'secondary' : 'primary'}
          busy={verify.isPending || test.isPending}
          onClick={isVerified ? sendTest : sendChallenge}
        >
          {say(isVerified ? 'test' : 'verify')}
        </Button>
        {isVerified && (
          <Button
            kind={isOn ? 'secondary' : 'primary'}
            busy={update.isPending}
            onClick={() => set(isOn ? 'paused' : 'active')}
          >
            {say(isOn ? 'pause' : 'resume')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Standing({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const say = useMessages(webhookMessages)
  if (endpoint.status === 'unverified')
    return (
      <Note tone="warn">
        <p>{say('unverifiedSays')}</p>
      </Note>
    )
  if (endpoint.status === 'paused')
    return (
      <Note>
        <p>{say('pausedSays')}</p>
      </Note>
    )
  if (endpoint.status !== 'disabled') return null
  return (
    <Note tone="bad" title={say(endpoint.disabled_reason === 'gone' ? 'goneSays' : 'failingSays')}>
      <p>{say('offHelp')}</p>
    </Note>
  )
}
