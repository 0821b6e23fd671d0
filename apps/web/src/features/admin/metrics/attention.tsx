import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Note } from '../../../components/surface.tsx'
import { useNow } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { Figure, Figures } from './figure.tsx'
import { metricsMessages } from './messages.ts'
import { spanText } from './span.ts'

export type Metrics = Output<'admin.metrics'>

/** What an operator should look at first; when there is nothing, it says so. */
export function Attention({
  metrics: { money, settlements, disputes_open: disputes, verification_lag_seconds: lag },
}: {
  readonly metrics: Metrics
}): ReactNode {
  const say = useMessages(metricsMessages)
  const format = useFormat()
  const now = useNow()
  // Before the first comparison, no difference is no agreement.
  const isCompared = money.audited_at !== null || money.findings_unresolved > 0
  const isQuiet = money.findings_unresolved === 0 && settlements.in_doubt === 0 && disputes === 0
  return (
    <>
      {isQuiet && <Note tone="good" title={say('attentionNone')} />}
      <Figures id="attention" title={say('attention')}>
        <Figure
          name={say('findings')}
          value={format.number(money.findings_unresolved)}
          tone={money.findings_unresolved > 0 ? 'bad' : 'plain'}
          says={isCompared ? say('findingsSays', { n: money.findings_unresolved }) : undefined}
        >
          {money.audited_at === null ? say('neverAudited') : say('audited', { ago: format.ago(money.audited_at, now) })}
          {money.oldest_finding_at !== null &&
            ` ${say('oldestFinding', { ago: format.ago(money.oldest_finding_at, now) })}`}
        </Figure>
        <Figure
          name={say('inDoubt')}
          value={format.number(settlements.in_doubt)}
          tone={settlements.in_doubt > 0 ? 'bad' : 'plain'}
          says={say('inDoubtSays')}
        />
        <Figure
          name={say('disputes')}
          value={format.number(disputes)}
          tone={disputes > 0 ? 'warn' : 'plain'}
          says={say('disputesSays')}
        >
          {disputes > 0 && (
            <Link to="/disputes" className="link">
              {say('seeDisputes')}
            </Link>
          )}
        </Figure>
        <Figure
          name={say('lag')}
          value={lag === null ? say('lagNone') : spanText(format, lag)}
          says={say(lag === null ? 'lagNoneSays' : 'lagSays')}
        />
      </Figures>
    </>
  )
}
