import { lazy, Suspense, type ReactNode } from 'react'
import { sceneOf } from '../../art/scene-of.ts'
import { Icon } from '../../components/icon.tsx'
import { Money } from '../../components/money.tsx'
import { Portrait } from '../../components/portrait.tsx'
import { Scene } from '../../components/scene.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { placeMessages } from '../../messages/place.ts'
import { useSession } from '../../wallet/wallet.tsx'
import type { TaskDraft } from './draft.ts'
import { publishMessages } from './messages.ts'

const MeteredTerms = lazy(async () => ({ default: (await import('./metered-terms.tsx')).MeteredTerms }))

type PreviewProps = {
  readonly draft: TaskDraft
  readonly bountyUsd: number | undefined
  readonly hours: number | undefined
}

/** The task as workers will meet it in their list, while it is being written. */
export function PreviewCard({ draft, bountyUsd, hours }: PreviewProps): ReactNode {
  const say = useMessages(publishMessages)
  const places = useMessages(placeMessages)
  const format = useFormat()
  const { wallet, picture } = useSession()
  const split = useSplit()
  const hint = draft.locationHint.trim()
  return (
    <figure className="grid gap-2">
      <figcaption className="text-sm text-quiet">{say('seenAs')}</figcaption>
      <div className="task-card-still">
        <Scene name={draft.category === '' ? 'errand' : sceneOf[draft.category]} className="size-19" />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
          <div className="flex flex-wrap items-start justify-between gap-x-2">
            {draft.meter !== null ? (
              <Suspense>
                <MeteredTerms meter={draft.meter} capUsd={bountyUsd} look="card" />
              </Suspense>
            ) : bountyUsd === undefined || split === undefined ? (
              <span className="text-quiet">{say('noPrice')}</span>
            ) : (
              <Money usd={split(bountyUsd).payoutUsd} look="card" inCents />
            )}
            <span className="min-w-0 pt-0.5 text-end text-sm text-quiet">
              {hint !== '' ? hint : draft.hasPlace ? say('atPlace') : places('placeAnywhere')}
            </span>
          </div>
          <p
            className={`line-clamp-2 text-card leading-snug font-strong ${draft.title.trim() === '' ? 'text-quiet' : ''}`}
          >
            {draft.title.trim() === '' ? say('noTitle') : draft.title}
          </p>
        </div>
        <div className="task-card-foot">
          <span className="flex min-w-0 items-center gap-2">
            {typeof wallet === 'string' && <Portrait address={wallet} picture={picture} size={24} />}
            <span className="min-w-0 truncate">{say('you')}</span>
          </span>
          <span className="flex flex-none items-center gap-1 text-quiet">
            <Icon name="clock" /> {hours === undefined ? '–' : format.duration(hours * 3_600)}
          </span>
        </div>
      </div>
    </figure>
  )
}
