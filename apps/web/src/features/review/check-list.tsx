import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Badge, Facts, Note, type Tone } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { checkMessages } from './check-messages.ts'
import { reviewMessages } from './messages.ts'
import { Reason } from './reason.tsx'

type Submission = Output<'submissions.get'>
type Result = Submission['checks'][number]['result']

const looks: Readonly<Record<Result, readonly [tone: Tone, path: string]>> = {
  passed: ['good', 'M3 8l3.5 3.5L13 5'],
  failed: ['bad', 'M4 4l8 8M12 4l-8 8'],
  inconclusive: ['warn', 'M6 6a2 2 0 1 1 2 2v1.5M8 12v.5'],
  error: ['warn', 'M8 3v6M8 12v.5'],
  not_applicable: ['plain', 'M4 8h8'],
  not_configured: ['plain', 'M4 8h8'],
}

/** Every check with what it found and why, as the service says it: word, colour and sign. */
export function CheckList({ submission }: { readonly submission: Submission }): ReactNode {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const { checks, coverage, pre_check_score: score, verification } = submission
  const idle = checks.filter(({ result }) => result === 'not_applicable')
  const share = (value: number | null): string => (value === null ? say('notSaid') : format.percent(value))
  return (
    <section aria-labelledby="checks" className="grid gap-3">
      <h2 id="checks">{say('checks')}</h2>
      {verification === 'pending' && <Note tone="move" role="status" title={say('checksPending')} />}
      <Facts
        rows={[
          [say('coverage'), share(coverage)],
          [say('score'), share(score)],
        ]}
      />
      {checks.length === 0 && <p className="text-quiet">{say('checksNone')}</p>}
      <Checks checks={checks.filter(({ result }) => result !== 'not_applicable')} />
      {idle.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer py-1 text-quiet">{say('idle', { n: idle.length })}</summary>
          <div className="pt-2">
            <Checks checks={idle} />
          </div>
        </details>
      )}
    </section>
  )
}

function Checks({ checks }: { readonly checks: Submission['checks'] }): ReactNode {
  return (
    <ul className="grid gap-2">
      {checks.map((check) => (
        <OneCheck key={check.name} check={check} />
      ))}
    </ul>
  )
}

function OneCheck({ check }: { readonly check: Submission['checks'][number] }): ReactNode {
  const say = useMessages(reviewMessages)
  const words = useMessages(checkMessages)
  const { name, result } = check
  return (
    <li
      className={`grid gap-1 rounded-xl border border-line p-3 sm:grid-cols-[11rem_1fr] ${result === 'not_configured' ? 'border-dashed text-quiet' : ''}`}
    >
      <span>
        <ResultBadge result={result} says={say(`result.${result}`)} />
      </span>
      <span className="min-w-0">
        <span className="font-semibold">{isKnown(name) ? words(name) : name}</span>
        <Reason check={check} />
      </span>
    </li>
  )
}

const isKnown = (name: string): name is keyof typeof checkMessages.en => Object.hasOwn(checkMessages.en, name)

function ResultBadge({ result, says }: { readonly result: Result; readonly says: string }): ReactNode {
  const [tone, path] = looks[result]
  return (
    <Badge tone={tone}>
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className="size-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      >
        <path d={path} />
      </svg>
      {says}
    </Badge>
  )
}
