import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Card, Facts, Note } from '../../../components/surface.tsx'
import { Moment, useNow } from '../../../components/time.tsx'
import { roundedSpan, useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { moneyMessages } from './messages.ts'

const lateMs = 5 * 60_000

/** Whether the ledger adds up, when the chains were last asked, and what is under way. */
export function MoneyState({ health }: { readonly health: Output<'service.healthPayments'> }): ReactNode {
  const say = useMessages(moneyMessages)
  const format = useFormat()
  const now = useNow()
  const {
    ledger_balanced: isBalanced,
    audited_at: audited,
    in_flight: inFlight,
    in_doubt: inDoubt,
    oldest_seconds: oldest,
  } = health
  const span = roundedSpan((oldest ?? 0) * 1_000)
  const isLate = audited !== null && now - Date.parse(audited) > lateMs
  return (
    <>
      <Note tone={isBalanced ? 'good' : 'bad'} role="status" title={say(isBalanced ? 'balanced' : 'unbalanced')}>
        <p>
          {say('compared')}: {audited === null ? say('never') : <Moment at={audited} />}
        </p>
        {isLate && <p>{say('late')}</p>}
      </Note>
      <Card as="section" className="grid max-w-xl gap-3 [&_dd]:text-right">
        <h2>{say('settlements')}</h2>
        <Facts
          rows={[
            [say('inFlight'), format.number(inFlight)],
            [say('inDoubt'), format.number(inDoubt)],
            [
              say('oldest'),
              oldest === null
                ? say('none')
                : format.number(span.value, { style: 'unit', unit: span.unit, unitDisplay: 'long' }),
            ],
          ]}
        />
        <p className="text-sm text-quiet">{say('doubtHelp')}</p>
      </Card>
    </>
  )
}
