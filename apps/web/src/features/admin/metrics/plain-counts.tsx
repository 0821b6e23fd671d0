import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import type { Metrics } from './attention.tsx'
import { Figure, Figures } from './figure.tsx'
import { metricsMessages } from './messages.ts'
import { memoryText, spanText } from './span.ts'

/** Counts that tell the size of the market, and say nothing of whether it is well. */
export function WorkCounts({ metrics }: { readonly metrics: Metrics }): ReactNode {
  const say = useMessages(metricsMessages)
  const format = useFormat()
  const { settlements, bans } = metrics
  return (
    <Figures id="work" title={say('work')}>
      <Figure name={say('waiting')} value={format.number(metrics.submissions_waiting)} says={say('waitingSays')} />
      <Figure name={say('inFlight')} value={format.number(settlements.in_flight)} says={say('inFlightSays')}>
        {settlements.oldest_seconds !== null &&
          say('inFlightOldest', { span: spanText(format, settlements.oldest_seconds) })}
      </Figure>
      <Figure name={say('wallets')} value={format.number(metrics.wallets)} says={say('walletsSays')} />
      <Figure name={say('bans')} value={format.number(bans)} says={say('bansSays')}>
        {bans > 0 && (
          <Link to="/admin/workers" search={{ status: 'banned' }} className="link">
            {say('seeBans')}
          </Link>
        )}
      </Figure>
    </Figures>
  )
}

/** How the process that answered is doing. */
export function ProcessCounts({ metrics }: { readonly metrics: Metrics }): ReactNode {
  const say = useMessages(metricsMessages)
  const format = useFormat()
  return (
    <Figures id="process" title={say('process')} lead={say('processLead')}>
      <Figure name={say('uptime')} value={spanText(format, metrics.process.uptime_seconds)} says={say('uptimeSays')} />
      <Figure name={say('memory')} value={memoryText(format, metrics.process.rss_bytes)} says={say('memorySays')} />
      <Figure name={say('refusals')} value={format.number(metrics.rate_limit_refusals)} says={say('refusalsSays')} />
      <Figure name={say('outbox')} value={format.number(metrics.outbox)} says={say('outboxSays')} />
    </Figures>
  )
}
