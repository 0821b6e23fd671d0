import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export type Step = {
  readonly title: ReactNode
  readonly detail?: ReactNode
  readonly state: 'done' | 'now' | 'to-come'
}

/** What happened, happens and will happen, in order. */
export function Timeline({ steps }: { readonly steps: readonly Step[] }): ReactNode {
  return (
    <ol className="timeline">
      {steps.map(({ title, detail, state }, index) => (
        <li key={index} data-step={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className="timeline-mark" aria-hidden="true">
            {state === 'done' ? <Icon name="check-bold" /> : index + 1}
          </span>
          <div className="grid gap-0.5 pt-0.5">
            <span className="font-label">{title}</span>
            {detail !== undefined && <span className="text-sm text-quiet">{detail}</span>}
          </div>
        </li>
      ))}
    </ol>
  )
}
