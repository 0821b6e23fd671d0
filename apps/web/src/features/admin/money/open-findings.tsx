import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Link } from '@tanstack/react-router'
import { Failure } from '../../../components/failure.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Card, Facts, Loading } from '../../../components/surface.tsx'
import { Moment } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages } from '../../../lib/i18n.tsx'
import { useOperatorRead } from '../../../lib/operator.tsx'
import { commonMessages } from '../../../messages/common-messages.ts'
import { moneyMessages } from './messages.ts'

const most = 50
type Finding = Output<'admin.findings'>['findings'][number]

/** Each difference that is open, with what it is about and what was seen. */
export function OpenFindings({ everyMs }: { readonly everyMs: number }): ReactNode {
  const say = useMessages(moneyMessages)
  const common = useMessages(commonMessages)
  const { data, error, refetch } = useOperatorRead('admin.findings', { limit: most }, { refetchInterval: everyMs })
  if (data === undefined)
    return error === null ? (
      <Loading says={common('loading')} rows={1} />
    ) : (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data.count === 0) return null
  return (
    <>
      <h3 id="each">{say('each')}</h3>
      <ul aria-labelledby="each" className="grid gap-3">
        {data.findings.map((one) => (
          <FindingCard key={`${one.kind} ${one.subject} ${one.first_seen_at}`} finding={one} />
        ))}
      </ul>
      {data.has_more && <p className="text-quiet">{say('oldestOnly', { n: most })}</p>}
    </>
  )
}

function FindingCard({ finding }: { readonly finding: Finding }): ReactNode {
  const say = useMessages(moneyMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  const {
    kind,
    subject,
    task_id: taskId,
    settlement_id: settlementId,
    network,
    token,
    amount_usd: amount,
    detail,
    first_seen_at: first,
    last_seen_at: last,
  } = finding
  return (
    <Card as="li" className="grid min-w-0 gap-2">
      <h4>{say(`kind.${kind}`)}</h4>
      <p lang="en" className="wrap-anywhere">
        {detail}
      </p>
      <Facts
        rows={[
          ...(taskId === null
            ? []
            : [
                [
                  say('task'),
                  <Link key="task" to="/tasks/$taskId" params={{ taskId }} className="link font-mono text-sm break-all">
                    {taskId}
                  </Link>,
                ] as const,
              ]),
          [
            say('about'),
            <span key="subject" className="font-mono text-sm break-all">
              {subject}
            </span>,
          ],
          ...(settlementId === null
            ? []
            : [
                [
                  say('settlement'),
                  <span key="settlement" className="font-mono text-sm break-all">
                    {settlementId}
                  </span>,
                ] as const,
              ]),
          ...(amount === null ? [] : [[say('found'), format.usd(amount)] as const]),
          [say('network'), token === null ? networkTitle(network) : `${networkTitle(network)}, ${token}`],
          [
            say('seen'),
            <span key="seen">
              <Moment at={first} /> – <Moment at={last} />
            </span>,
          ],
        ]}
      />
    </Card>
  )
}
