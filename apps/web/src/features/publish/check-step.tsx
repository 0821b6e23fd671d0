import { lazy, Suspense, type ReactNode } from 'react'
import { useDecider } from '../../components/deciders/use-decider.ts'
import { Money } from '../../components/money.tsx'
import { SplitBar } from '../../components/split-bar.tsx'
import { Ticket } from '../../components/ticket.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useSplit } from '../../lib/use-split.ts'
import { wordMessages } from '../../messages/words.ts'
import type { TaskDraft } from './draft.ts'
import { publishMessages } from './messages.ts'
import { MeteredTerms } from './metered-terms.tsx'
import type { PublishStep } from './steps.ts'

const MeteredNext = lazy(async () => ({ default: (await import('./metered-next.tsx')).MeteredNext }))

type CheckProps = {
  readonly draft: TaskDraft
  readonly bountyUsd: number | undefined
  readonly hours: number | undefined
  readonly go: (step: PublishStep) => void
}

/** The whole task as a ticket, each part with the way back to it, and what happens with the money from here on. */
export function CheckStep(props: CheckProps): ReactNode {
  const say = useMessages(publishMessages)
  const { draft, bountyUsd } = props
  return (
    <div className="grid gap-8">
      <Ticket stub={<Summary {...props} />}>
        <Amounts draft={draft} bountyUsd={bountyUsd} />
      </Ticket>
      <section aria-labelledby="publish-next" className="grid gap-4">
        <h2 id="publish-next">{say('next')}</h2>
        {draft.meter === null ? (
          <Next draft={draft} />
        ) : (
          <Suspense>
            <MeteredNext meter={draft.meter} capUsd={bountyUsd} />
          </Suspense>
        )}
      </section>
    </div>
  )
}

function Next({ draft }: Pick<CheckProps, 'draft'>): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  const span = format.duration(Number(draft.reviewHours) * 3_600)
  const who = useDecider()
  return (
    <Timeline
      steps={[
        { title: say('next.now'), detail: say('next.nowSays'), state: 'now' },
        { title: say('next.choose'), detail: say('next.chooseSays'), state: 'to-come' },
        { title: say('next.look'), detail: say(`next.look.${draft.onSilence}`, { span, who }), state: 'to-come' },
        { title: say('next.pay'), detail: say('next.paySays'), state: 'to-come' },
      ]}
    />
  )
}

function Amounts({ draft, bountyUsd }: Pick<CheckProps, 'draft' | 'bountyUsd'>): ReactNode {
  const say = useMessages(publishMessages)
  const format = useFormat()
  const split = useSplit()
  const feeBps = useRead('payments.fees', {}, { staleTime: Infinity }).data?.fee_bps
  const { meter, title } = draft
  return (
    <div className="grid gap-4">
      <p className="text-card leading-snug font-strong wrap-anywhere">{title.trim() === '' ? say('noTitle') : title}</p>
      {meter !== null && <MeteredTerms meter={meter} capUsd={bountyUsd} look="card" />}
      <p className="grid gap-1">
        <span className="text-sm text-quiet">{say(meter === null ? 'youPay' : 'mostLost')}</span>
        {bountyUsd === undefined ? (
          <span className="text-quiet">{say('noPrice')}</span>
        ) : (
          <Money usd={bountyUsd} look="hero" />
        )}
      </p>
      {bountyUsd !== undefined && split !== undefined && feeBps !== undefined && (
        <div className="grid gap-2">
          <SplitBar feeBps={feeBps} />
          <p className="text-sm text-quiet">
            {say('splitSays', {
              worker: format.usd(split(bountyUsd).payoutUsd),
              fee: format.usd(split(bountyUsd).feeUsd),
              share: format.percent(feeBps / 10_000),
            })}
          </p>
        </div>
      )}
    </div>
  )
}

function Summary({ draft, hours, go }: CheckProps): ReactNode {
  const say = useMessages(publishMessages)
  const words = useMessages(wordMessages)
  const format = useFormat()
  const criteria = draft.criteria.filter((one) => one.trim() !== '')
  const rows: readonly (readonly [step: PublishStep, name: string, value: string])[] = [
    ['what', say('category'), draft.category === '' ? '–' : words(`category.${draft.category}`)],
    [
      'proof',
      say('proof'),
      draft.evidence.length === 0 ? '–' : format.list(draft.evidence.map((one) => words(`evidence.${one}`))),
    ],
    ['proof', say('criteria'), criteria.length === 0 ? say('noCriteria') : criteria.join(' · ')],
    ['proof', say('target'), words(`party.${draft.target}`)],
    ['money', say('untilWhen'), hours === undefined ? '–' : format.duration(hours * 3_600)],
  ]
  return (
    <ul className="rows grid text-[0.9375rem]">
      {rows.map(([step, name, value]) => (
        <li key={name} className="grid grid-cols-[1fr_auto] items-center gap-x-3">
          <span className="grid min-w-0">
            <span className="text-sm text-quiet">{name}</span>
            <span className="min-w-0 wrap-anywhere">{value}</span>
          </span>
          <button
            type="button"
            className="link min-h-11 px-1 text-sm"
            onClick={() => {
              go(step)
            }}
          >
            {say('change')}
            <span className="visually-hidden">: {name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
