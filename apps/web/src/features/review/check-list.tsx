import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import type { IconName } from '../../components/icon-names.ts'
import { Icon } from '../../components/icon.tsx'
import { Card, Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { checkMessages } from './check-messages.ts'
import { reviewMessages } from './messages.ts'
import { Reason } from './reason.tsx'

type Submission = Output<'submissions.get'>
type Result = Submission['checks'][number]['result']

const looks: Readonly<Record<Result, readonly [disc: string, icon: IconName, word: string]>> = {
  failed: ['bg-bad-soft text-bad', 'x-circle-bold', 'text-bad'],
  error: ['bg-warn-soft text-warn', 'warning-fill', 'text-warn'],
  inconclusive: ['bg-warn-soft text-warn', 'question-bold', 'text-warn'],
  passed: ['bg-good-soft text-good', 'check-circle-bold', 'text-good'],
  not_configured: ['bg-sunken text-quiet', 'minus-circle-bold', 'text-quiet'],
  not_applicable: ['bg-sunken text-quiet', 'minus-circle-bold', 'text-quiet'],
}
const order = Object.keys(looks)
const unused: readonly Result[] = ['not_applicable', 'not_configured']

type ListProps = {
  readonly submission: Submission
  /** For whom does not decide by them: what passed is one line, and opens. */
  readonly isPassedFolded?: boolean
}

/** Every check with what it found and why, as the service says it: word, colour and sign. */
export function CheckList({ submission: { checks, verification }, isPassedFolded = false }: ListProps): ReactNode {
  const say = useMessages(reviewMessages)
  const sorted = checks.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result))
  const used = sorted.filter(({ result }) => !unused.includes(result))
  const passed = used.filter(({ result }) => isPassedFolded && result === 'passed')
  const idle = sorted.filter(({ result }) => unused.includes(result))
  const counted = (results: readonly Result[]): number => checks.filter(({ result }) => results.includes(result)).length
  return (
    <section aria-labelledby="checks" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="checks">{say('checks')}</h2>
        {!isPassedFolded && (
          <p className="text-sm text-quiet">
            {say('checksSum', {
              passed: counted(['passed']),
              failed: counted(['failed']),
              unsure: counted(['inconclusive', 'error']),
            })}
          </p>
        )}
      </div>
      {verification === 'pending' && <Note tone="move" role="status" title={say('checksPending')} />}
      {checks.length === 0 && <p className="text-quiet">{say('checksNone')}</p>}
      <Checks checks={used.filter((check) => !passed.includes(check))} />
      {passed.length > 0 && <Passed checks={passed} />}
      {idle.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer py-2 text-quiet">{say('idle', { n: idle.length })}</summary>
          <Checks checks={idle} />
        </details>
      )}
      {checks.length > 0 && !isPassedFolded && <p className="text-sm text-quiet">{say('checksHelp')}</p>}
    </section>
  )
}

function Checks({ checks }: { readonly checks: Submission['checks'] }): ReactNode {
  if (checks.length === 0) return null
  return (
    <Card className="py-2">
      <ul className="rows grid">
        {checks.map((check) => (
          <OneCheck key={check.name} check={check} />
        ))}
      </ul>
    </Card>
  )
}

/** What passed, counted in one line. */
function Passed({ checks }: { readonly checks: Submission['checks'] }): ReactNode {
  const say = useMessages(reviewMessages)
  return (
    <details className="card py-2">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 font-label">
        <span className={`disc disc-small ${looks.passed[0]}`}>
          <Icon name="check-circle-bold" />
        </span>
        <span className="grow basis-24 wrap-break-word">{say('passedSum', { n: checks.length })}</span>
        <span className="flex-none text-sm text-brand">{say('passedOpen')}</span>
      </summary>
      <ul className="rows grid border-t border-line">
        {checks.map((check) => (
          <OneCheck key={check.name} check={check} />
        ))}
      </ul>
    </details>
  )
}

function OneCheck({ check }: { readonly check: Submission['checks'][number] }): ReactNode {
  const say = useMessages(reviewMessages)
  const words = useMessages(checkMessages)
  const { name, result } = check
  const [disc, icon, word] = looks[result]
  return (
    <li className="flex gap-x-3">
      <span className={`disc disc-small ${disc}`}>
        <Icon name={icon} />
      </span>
      {/* Large letters leave no room for both. */}
      <span className="flex min-w-0 grow flex-wrap gap-x-3">
        <span className="min-w-0 grow basis-32">
          <span className="font-label">{isKnown(name) ? words(name) : name}</span>
          <span className="block text-sm text-quiet">
            <Reason check={check} />
          </span>
        </span>
        <span className={`text-sm font-label ${word}`}>{say(`result.${result}`)}</span>
      </span>
    </li>
  )
}

const isKnown = (name: string): name is keyof typeof checkMessages.en => Object.hasOwn(checkMessages.en, name)
