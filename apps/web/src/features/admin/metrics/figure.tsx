import type { ReactNode } from 'react'

const tones = { plain: 'text-ink', warn: 'text-warn', bad: 'text-bad' } as const

type FigureProps = {
  readonly name: string
  readonly value: ReactNode
  readonly says?: ReactNode
  readonly tone?: keyof typeof tones
  readonly children?: ReactNode
}

/** One number with its name and what it means; the words below say what its colour says. Belongs inside `Figures`. */
export function Figure({ name, value, says, tone = 'plain', children }: FigureProps): ReactNode {
  return (
    <div className="grid content-start gap-1 rounded-xl border border-line bg-surface p-3 sm:p-4">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className={`numbers text-xl font-bold ${tones[tone]}`}>{value}</dd>
      {says !== undefined && <dd className="text-sm text-quiet">{says}</dd>}
      {children !== undefined && <dd className="text-sm">{children}</dd>}
    </div>
  )
}

/** Figures that belong together, under their heading. */
export function Figures({
  id,
  title,
  lead,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id}>{title}</h2>
      {lead !== undefined && <p className="max-w-prose text-quiet">{lead}</p>}
      <dl className="grid gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-4">{children}</dl>
    </section>
  )
}
