import type { ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { byDay, nearDay } from '../lib/by-day.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import type { SceneName } from '../art/scene-of.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import { IconDisc, type DiscTone } from './icon-disc.tsx'
import { Money } from './money.tsx'
import { Scene } from './scene.tsx'
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

type To = Pick<LinkProps, 'to' | 'params' | 'hash' | 'search'> | undefined

const rowClass = (to: To): string =>
  `relative flex items-start gap-3.5 px-4 py-3.5 ${to === undefined ? '' : 'hover:bg-sunken/60'}`

type HappeningProps = {
  readonly icon: IconName
  readonly tone?: HappeningTone | undefined
  /** Who did it, where that is known: in the place of the icon. */
  readonly portrait?: ReactNode
  /** What happened, as a sentence. */
  readonly said: string
  /** What it happened to; it leads there. */
  readonly about?: string | undefined
  readonly to?: To
  readonly usd?: number | undefined
  readonly at: string
  readonly isUnread?: boolean
  readonly children?: ReactNode
}

/** One thing that happened; the whole row leads to where it can be seen. */
export function Happening(props: HappeningProps): ReactNode {
  const { icon, tone = 'plain', portrait, said, about, to, usd, at, isUnread = false, children } = props
  const say = useMessages(dayMessages)
  return (
    <li className={rowClass(to)}>
      {portrait ?? <IconDisc icon={icon} tone={tone} />}
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

type HappenedToProps = {
  readonly scene: SceneName | undefined
  readonly icon: IconName
  readonly tone: HappeningTone
  /** What it happened to; it leads there. */
  readonly what: string
  readonly to: To
  /** What happened, in a word or three. */
  readonly said: string
  readonly usd: number | undefined
  readonly at: string
}

const inkOf: Readonly<Partial<Record<HappeningTone, string>>> = {
  good: 'text-good',
  move: 'text-move',
  warn: 'text-warn',
  bad: 'text-bad',
}

/** The same where the thing tells rows apart and not what happened: its title first. */
export function HappenedTo({ scene, icon, tone, what, to, said, usd, at }: HappenedToProps): ReactNode {
  return (
    <li className={rowClass(to)}>
      {scene === undefined ? (
        <span className="grid size-11 flex-none place-items-center">
          <IconDisc icon={icon} tone={tone} />
        </span>
      ) : (
        <Scene name={scene} className="size-11 flex-none" />
      )}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="min-w-0 grow basis-24 font-label wrap-anywhere">
            {to === undefined ? (
              what
            ) : (
              <Link {...to} className="after:absolute after:inset-0">
                {what}
              </Link>
            )}
          </span>
          {usd !== undefined && <Money usd={usd} inCents className="flex-none" />}
        </p>
        <p className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 text-sm text-quiet">
          <span className={`inline-flex min-w-0 items-center gap-1.5 ${inkOf[tone] ?? ''}`}>
            <Icon name={icon} />
            <span className="min-w-0 wrap-anywhere">{said}</span>
          </span>
          <span className="whitespace-nowrap">
            <Moment at={at} />
          </span>
        </p>
      </div>
    </li>
  )
}
