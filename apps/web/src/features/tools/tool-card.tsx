import type { ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { LinkButton } from '../../components/button.tsx'
import { IconDisc } from '../../components/icon-disc.tsx'
import { Badge, Card, Facts, type Tone } from '../../components/surface.tsx'
import { Moment, useNow } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { capLeftOf, isOpen, type Grant } from './cap-words.ts'
import { toolMessages } from './messages.ts'

const tones = {
  live: 'good',
  waiting: 'warn',
  unused: 'plain',
  expired: 'plain',
  revoked: 'plain',
} as const satisfies Readonly<Record<Grant['state'], Tone>>

/** One tool that was let in: what it may do, what is left of what it may pay, and the way out. */
export function ToolCard({ grant }: { readonly grant: Grant }): ReactNode {
  const say = useMessages(toolMessages)
  const { client_host: host, redirect_host: redirect, state, client_name: name } = grant
  return (
    <Card as="li" className="grid gap-3">
      <div className="flex items-start gap-3.5">
        <IconDisc icon="robot" tone={isOpen(grant) ? 'brand' : 'plain'} />
        <div className="grid min-w-0 flex-1 gap-1">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
            <h3 className="min-w-0 [overflow-wrap:anywhere]">{name}</h3>
            <Badge tone={tones[state]}>{say(`state.${state}`)}</Badge>
          </div>
          <p className="text-sm text-quiet [overflow-wrap:anywhere]">
            {host === null ? say('hostNone', { host: redirect }) : say('hostOf', { host })}
          </p>
        </div>
      </div>
      {isOpen(grant) ? <OpenFacts grant={grant} /> : <EndedFacts grant={grant} />}
      {isOpen(grant) && (
        <div>
          <LinkButton
            to="/account/tools"
            search={{ end: grant.grant_id }}
            resetScroll={false}
            kind="danger"
            aria-label={`${say('end')} ${name}`}
          >
            {say('end')}
          </LinkButton>
        </div>
      )}
    </Card>
  )
}

function OpenFacts({ grant }: { readonly grant: Grant }): ReactNode {
  const say = useMessages(toolMessages)
  const format = useFormat()
  const cap = useCapWords(grant)
  return (
    <Facts
      rows={[
        [say('may'), format.list(grant.scopes.map((scope) => say(`scope.${scope}`)))],
        ...(cap === undefined ? [] : [[say('pays'), cap] as const]),
        [say('used'), grant.last_used_at === null ? say('usedNever') : <Moment key="used" at={grant.last_used_at} />],
        [say('allowed'), <Moment key="allowed" at={grant.created_at} />],
        [say('ends'), format.date(grant.expires_at)],
        [say('account'), <Address key="account" value={grant.account.split(':').at(-1) ?? ''} />],
      ]}
    />
  )
}

function EndedFacts({ grant }: { readonly grant: Grant }): ReactNode {
  const say = useMessages(toolMessages)
  const { state, revoked_at: revokedAt, revoked_for: why, expires_at: expiresAt } = grant
  if (state === 'unused') return null
  return (
    <p className="text-sm text-quiet">
      {`${say('ended')} `}
      <Moment at={revokedAt ?? expiresAt} />
      {why !== null && `: ${say(`why.${why}`)}`}
    </p>
  )
}

/** What is left of the caps, in words. */
function useCapWords(grant: Grant): string | undefined {
  const say = useMessages(toolMessages)
  const format = useFormat()
  const cap = capLeftOf(grant, useNow())
  switch (cap?.kind) {
    case undefined:
      return undefined
    case 'left':
      return say('cap.left', {
        left: cap.left,
        of: cap.of,
        usd: format.usd(cap.maxUsd),
        until: format.dateTime(cap.until),
      })
    case 'waiting':
      return say('cap.waiting', { left: cap.left, usd: format.usd(cap.maxUsd) })
    case 'spent':
      return say('cap.spent', { of: cap.of })
    case 'over':
      return say('cap.over')
  }
}
