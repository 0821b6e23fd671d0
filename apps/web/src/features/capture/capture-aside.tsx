import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { ExactPlace } from '../../components/exact-place.tsx'
import { Icon } from '../../components/icon.tsx'
import { AreaPreview } from '../../components/map/area-preview.tsx'
import { Card } from '../../components/surface.tsx'
import { readCriteria } from '../../lib/criteria.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useIsWide } from '../../lib/use-is-wide.ts'
import { captureMessages } from './messages.ts'

type AsideProps = {
  readonly task: Output<'tasks.get'>
  readonly place: Output<'tasks.location'> | undefined
}

/** What was agreed, at hand where the work is done: beside it where there is room, folded above it on a phone. */
export function CaptureAside({ task, place }: AsideProps): ReactNode {
  const say = useMessages(captureMessages)
  const isWide = useIsWide()
  const words = (
    <div className="grid gap-4">
      <Agreed task={task} place={place} />
      <Checks />
    </div>
  )
  if (isWide) return <aside className="lg:order-2">{words}</aside>
  return (
    <details>
      <summary className="link inline-flex min-h-11 items-center">{say('what')}</summary>
      <div className="pt-2">{words}</div>
    </details>
  )
}

function Agreed({ task, place }: AsideProps): ReactNode {
  const say = useMessages(captureMessages)
  const { instructions, criteria } = readCriteria(task.instructions)
  return (
    <>
      {(task.location_hint !== null || place !== undefined) && (
        <section className="card overflow-hidden p-0">
          {place !== undefined && (
            <div className="[&_p]:px-5">
              <AreaPreview label={say('where')} id={task.id} at={place} radiusM={place.radius_m} />
            </div>
          )}
          <div className="grid gap-2 p-5 text-sm">
            <h2 className="text-card">{task.location_hint ?? say('where')}</h2>
            {place?.precision === 'exact' && <ExactPlace at={place} radiusM={place.radius_m} />}
          </div>
        </section>
      )}
      <Card as="section" className="grid gap-3">
        <h2 className="text-card">{say('what')}</h2>
        <p className="max-w-prose wrap-anywhere whitespace-pre-line">{instructions}</p>
      </Card>
      {criteria.length > 0 && (
        <Card as="section" className="grid gap-3">
          <h2 className="text-card">{say('accepted')}</h2>
          <ul className="grid gap-2.5">
            {criteria.map((one, index) => (
              <li key={index} className="flex gap-3 wrap-anywhere">
                <Icon name="check-bold" className="mt-0.5 text-brand" />
                <span>{one}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function Checks(): ReactNode {
  const say = useMessages(captureMessages)
  return (
    <details>
      <summary className="link inline-flex min-h-11 items-center">{say('checks')}</summary>
      <ul className="grid list-disc gap-1.5 pt-1 pl-5 text-sm marker:text-brand">
        {(['form', 'photo', 'position', 'time', 'person'] as const).map((one) => (
          <li key={one}>{say(`check.${one}`)}</li>
        ))}
      </ul>
    </details>
  )
}
