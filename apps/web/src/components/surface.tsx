import { useEffect, useState, type ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { defineMessages } from '../lib/messages.ts'

export function Card({
  children,
  className = '',
  as: Element = 'div',
}: {
  readonly children: ReactNode
  readonly className?: string
  readonly as?: 'div' | 'section' | 'article' | 'li'
}): ReactNode {
  return <Element className={`rounded-2xl border border-line bg-surface p-4 sm:p-5 ${className}`}>{children}</Element>
}

const tones = {
  plain: 'bg-sunken text-ink',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  brand: 'bg-brand-soft text-brand',
} as const
export type Tone = keyof typeof tones

/** A short word of state; the word says it, the colour only helps. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-semibold ${tones[tone]}`}>
      {children}
    </span>
  )
}

/** A box that says something about the whole screen. */
export function Note({
  tone = 'plain',
  title,
  children,
  role,
}: {
  readonly tone?: Tone
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly role?: 'alert' | 'status'
}): ReactNode {
  return (
    <div role={role} className={`grid gap-1 rounded-xl px-4 py-3 ${tones[tone]}`}>
      {title !== undefined && <p className="font-semibold">{title}</p>}
      {children}
    </div>
  )
}

/** Names and values, one row each. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode {
  return (
    <dl className="grid grid-cols-[fit-content(55%)_minmax(0,1fr)] gap-x-4 gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="numbers min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Where a list has nothing to show, it says what would be there and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="grid justify-items-start gap-3 rounded-2xl border border-dashed border-line-strong p-6">
      <p className="font-semibold">{title}</p>
      {children}
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
      {isSlow && <p className="rounded-xl bg-warn-soft px-4 py-3 text-warn">{say('slow')}</p>}
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden="true" className="h-20 animate-pulse rounded-2xl bg-sunken" />
      ))}
    </div>
  )
}
