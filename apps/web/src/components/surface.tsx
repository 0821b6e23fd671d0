import { useEffect, useState, type ReactNode } from 'react'
import type { SceneName } from '../art/scene-of.ts'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import { Scene } from './scene.tsx'

export function Card({
  children,
  className = '',
  as: Element = 'div',
}: {
  readonly children: ReactNode
  readonly className?: string
  readonly as?: 'div' | 'section' | 'article' | 'li'
}): ReactNode {
  return <Element className={`card ${className}`}>{children}</Element>
}

const tones = {
  plain: 'bg-sunken text-ink',
  good: 'bg-good-soft text-good',
  move: 'bg-move-soft text-move',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  brand: 'bg-brand-soft text-brand',
  /** What is the reader's to do. */
  turn: 'bg-ink text-page',
  /** What is over. */
  over: 'px-0 text-quiet',
} as const
export type Tone = keyof typeof tones

/** A short word of state: the word says it, icon and colour help. */
export function Badge({
  tone = 'plain',
  icon,
  children,
}: {
  readonly tone?: Tone
  readonly icon?: IconName
  readonly children: ReactNode
}): ReactNode {
  return (
    <span className={`badge ${tones[tone]}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  )
}

const noteIcons: Partial<Readonly<Record<Tone, IconName>>> = {
  good: 'check-circle-fill',
  warn: 'warning-fill',
  bad: 'x-circle-bold',
}

/** A box that says something beside what it concerns. */
export function Note({
  tone = 'plain',
  icon = noteIcons[tone],
  title,
  children,
  role,
}: {
  readonly tone?: Tone
  readonly icon?: IconName | undefined
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly role?: 'alert' | 'status'
}): ReactNode {
  return (
    <div role={role} className={`flex gap-2.5 rounded-control px-4 py-3.5 text-[0.9375rem] ${tones[tone]}`}>
      {icon !== undefined && <Icon name={icon} className="mt-0.5 text-[1.1rem]" />}
      <div className="grid min-w-0 grow content-start gap-1">
        {title !== undefined && <p className="font-strong">{title}</p>}
        {children}
      </div>
    </div>
  )
}

/** Names and values, one row each; below each other where large letters leave no room for both. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode {
  return (
    <div className="@container w-full min-w-0">
      <dl className="grid gap-x-4 gap-y-2 @min-[14rem]:grid-cols-[fit-content(45%)_minmax(0,1fr)]">
        {rows.map(([name, value]) => (
          <div key={name} className="@min-[14rem]:contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="numbers min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Where a list has nothing to show: what is true now, and one way on. */
export function Empty({
  title,
  children,
  scene = 'errand',
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly scene?: SceneName
}): ReactNode {
  return (
    <div className="flex flex-wrap gap-5 rounded-card bg-warm p-5">
      <Scene name={scene} className="size-24" />
      <div className="grid min-w-0 flex-1 basis-56 content-start justify-items-start gap-2.5">
        <p className="text-card leading-snug font-strong">{title}</p>
        {children}
      </div>
    </div>
  )
}

const slowMs = 8_000
const slowMessages = defineMessages({
  en: { slow: 'The service is slow to answer, or cannot be reached. This goes on by itself.' },
  es: { slow: 'El servicio tarda en responder o no se puede contactar. Esto sigue solo.' },
})

/** Grey bars in the place of what is still coming; readers hear the words, and everybody is told when it takes long. */
export function Loading({ says, rows = 3 }: { readonly says: string; readonly rows?: number }): ReactNode {
  const say = useMessages(slowMessages)
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSlow(true)
    }, slowMs)
    return () => {
      clearTimeout(timer)
    }
  }, [])
  return (
    <div role="status" className="grid gap-3">
      <span className="visually-hidden">{says}</span>
      {isSlow && <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">{say('slow')}</p>}
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          aria-hidden="true"
          className="h-20 animate-pulse rounded-card bg-sunken motion-reduce:animate-none"
        />
      ))}
    </div>
  )
}
