import type { ReactNode } from 'react'
import type { NextWho } from '@ergon/contract'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { isTurnOf, type Next, type TurnReader } from '../lib/turn.ts'
import { actSaid, bySaid, otherwiseSaid, turnSaid, type SideNames } from '../lib/turn-words.ts'
import { turnMessages } from '../messages/turns.ts'
import type { IconName } from './icon-names.ts'
import { Badge, type Tone } from './surface.tsx'
import { useNow } from './time.tsx'

/** How the turn of others looks. */
const looks: Readonly<Record<NextWho, readonly [Tone, IconName]>> = {
  publisher: ['plain', 'hourglass-medium-bold'],
  worker: ['plain', 'hourglass-medium-bold'],
  service: ['plain', 'arrows-clockwise-bold'],
  arbiter: ['bad', 'scales-bold'],
  operator: ['bad', 'scales-bold'],
  workers: ['move', 'circle-half-bold'],
}

/** Whom only a newer service knows looks like the service. */
const lookOf = (who: string): readonly [Tone, IconName] => (isKnown(who) ? looks[who] : looks.service)
const isKnown = (who: string): who is NextWho => Object.hasOwn(looks, who)

type TurnProps = { readonly next: Next; readonly as: TurnReader; readonly names?: SideNames }

/** Whose turn it is and how long there is. */
export function TurnNote({ next, as, names }: TurnProps): ReactNode {
  const say = useMessages(turnMessages)
  const format = useFormat()
  const now = useNow()
  const [tone, icon]: readonly [Tone, IconName] =
    next === null
      ? ['over', 'minus-circle-bold']
      : isTurnOf(next, as)
        ? ['turn', 'hand-pointing-fill']
        : lookOf(next.who)
  const by = next?.by ?? null
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone={tone} icon={icon}>
        {turnSaid(say, next, as, names)}
      </Badge>
      {by !== null && (
        <time dateTime={by} className="text-sm text-quiet">
          {say(Date.parse(by) > now ? 'left' : 'ended', { when: format.relative(by, now) })}
        </time>
      )}
    </span>
  )
}

/** What is to be done, by when, and what happens otherwise; nothing where nothing happens any more. */
export function WhatIsNext({ next, as, names }: TurnProps): ReactNode {
  const say = useMessages(turnMessages)
  const format = useFormat()
  const now = useNow()
  if (next === null) return null
  const otherwise = otherwiseSaid(say, next)
  return (
    <div className="grid max-w-prose gap-0.5">
      <p>
        <span className="font-label">{actSaid(say, next, as, names)}</span>{' '}
        {next.by !== null && (
          <time dateTime={next.by}>{bySaid(say, next, format.dateTime(next.by), format.relative(next.by, now))}</time>
        )}
      </p>
      {otherwise !== undefined && <p className="text-sm text-quiet">{otherwise}</p>}
    </div>
  )
}
