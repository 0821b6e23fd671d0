import type { ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { byDay, nearDay } from '../lib/by-day.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import type { IconName } from './icon-names.ts'
import { IconDisc, type DiscTone } from './icon-disc.tsx'
import { Money } from './money.tsx'
import { Moment, useNow } from './time.tsx'

const dayMessages = defineMessages({
  en: { today: 'Today', yesterday: 'Yesterday', unread: 'New' },
  es: { today: 'Hoy', yesterday: 'Ayer', unread: 'Nuevo' },
})

export type HappeningTone = Exclude<DiscTone, 'brand'>

type DaysProps<T> = {
  readonly items: readonly T[]
  readonly atOf: (item: T) => string
  readonly label: string
  readonly children: (item: T) => ReactNode
}

/** What happened, newest first: one card a day. */
export function HappeningDays<T>({ items, atOf, label, children }: DaysProps<T>): ReactNode {
  const say = useMessages(dayMessages)
  const format = useFormat()
  const now = useNow()
  return (
    <div role="group" aria-label={label} className="grid gap-6">
      {byDay(items, atOf).map(({ key, at, items: ofDay }) => {
        const near = nearDay(at, now)
        return (
          <section key={key} className="grid gap-2">
            <h2 className="font-sans text-sm font-label text-quiet">
              {near === undefined ? format.date(at) : say(near)}
            </h2>
            <ol className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
              {ofDay.map(children)}
            </ol>
          </section>
        )
      })}
    </div>
  )
}

type HappeningProps = {
  readonly icon: IconName
  readonly tone?: HappeningTone | undefined
  /** What happened, as a sentence. */
  readonly said: string
  /** What it happened to; it leads there. */
  readonly about?: string | undefined
  readonly to?: Pick<LinkProps, 'to' | 'params' | 'hash' | 'search'> | undefined
  readonly usd?: number | undefined
  readonly at: string
  readonly isUnread?: boolean
  readonly children?: ReactNode
}

/** One thing that happened; the whole row leads to where it can be seen. */
export function Happening(props: HappeningProps): ReactNode {
  const { icon, tone = 'plain', said, about, to, usd, at, isUnread = false, children } = props
  const say = useMessages(dayMessages)
  return (
    <li className={`relative flex items-start gap-3.5 px-4 py-3.5 ${to === undefined ? '' : 'hover:bg-sunken/60'}`}>
      <IconDisc icon={icon} tone={tone} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className={isUnread ? 'font-label' : ''}>{said}</p>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 wrap-anywhere text-quiet">
          {about !== undefined &&
            (to === undefined ? (
              about
            ) : (
              <Link {...to} className="after:absolute after:inset-0">
                {about}
              </Link>
            ))}
          <span className="text-sm whitespace-nowrap">
            <Moment at={at} />
          </span>
        </p>
        {children}
      </div>
      <div className="flex flex-none items-center gap-2.5">
        {usd !== undefined && <Money usd={usd} inCents />}
        {isUnread && (
          <span className="size-2 rounded-full bg-brand">
            <span className="visually-hidden">{say('unread')}</span>
          </span>
        )}
      </div>
    </li>
  )
}
