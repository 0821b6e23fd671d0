import { useState, type ReactNode } from 'react'
import { Address } from '../../components/address.tsx'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { Card } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { settleMessages } from './messages.ts'

/** What an arbiter ruled, and the way to the operator while there is one; nothing while nobody has (decision 0168). */
export function RulingCard({
  disputeId,
  mayAppeal,
}: {
  readonly disputeId: string
  readonly mayAppeal: boolean
}): ReactNode {
  const say = useMessages(settleMessages)
  const format = useFormat()
  const { data: ruling } = useRead('disputes.ruling', { dispute_id: disputeId })
  const [reason, setReason] = useState('')
  const appeal = useChange('disputes.appeal', ['disputes.ruling', 'disputes.get', 'events.list'])
  if (ruling === undefined) return null
  const { verdict, split_pct: pct, status } = ruling
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('ruling')}</h2>
      <Address value={ruling.arbiter} />
      <p>{verdict === 'split' ? say('verdict.split', { pct: String(pct) }) : say(`verdict.${verdict}`)}</p>
      <p className="wrap-anywhere">{ruling.reason}</p>
      <ul className="list-disc pl-5">
        {ruling.criteria.map((one) => (
          <li key={one} className="wrap-anywhere">
            {one}
          </li>
        ))}
      </ul>
      <p className="text-quiet">
        {status === 'standing' ? say('appealUntil', { when: format.dateTime(ruling.appeal_until) }) : say(status)}
      </p>
      {status === 'standing' && mayAppeal && (
        <div className="grid gap-3">
          <TextField
            label={say('why')}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value)
            }}
          />
          {appeal.error !== null && <Failure error={appeal.error} />}
          <div>
            <Button
              busy={appeal.isPending}
              onClick={() => {
                appeal.mutate({ dispute_id: disputeId, reason: reason.trim() })
              }}
            >
              {say('appeal')}
            </Button>
          </div>
        </div>
      )}
    </Card>
  )
}
