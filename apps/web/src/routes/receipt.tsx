import type { ComponentProps, ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { Icon } from '../components/icon.tsx'
import { useNetworkTitle } from '../components/network-title.ts'
import { Page } from '../components/page.tsx'
import { Empty, Loading, Note } from '../components/surface.tsx'
import { Timeline } from '../components/timeline.tsx'
import { receiptMessages } from '../features/money/receipt-messages.ts'
import { ReceiptSlip } from '../features/money/receipt-slip.tsx'
import { receiptOf } from '../features/money/receipt.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { usePaymentLog } from '../lib/payment-log.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { useSession } from '../wallet/wallet.tsx'

const route = getRouteApi('/receipts/$taskId')

/** What was paid for one task, on one page that can be printed. */
export function ReceiptScreen(): ReactNode {
  const say = useMessages(receiptMessages)
  const common = useMessages(commonMessages)
  const { taskId } = route.useParams()
  const { wallet, workerId } = useSession()
  const task = useRead('tasks.get', { task_id: taskId })
  const payment = useRead('payments.get', { task_id: taskId })
  const entries = usePaymentLog(taskId)
  const executor = task.data?.executor_id ?? null
  const worker = useRead('workers.get', { executor_id: executor ?? '' }, { enabled: executor !== null })
  const error = task.error ?? payment.error ?? entries.error
  if (task.data === undefined || payment.data === undefined || entries.data === undefined)
    return (
      <Page title={say('title')}>
        {error === null ? <Loading says={common('loading')} /> : <Failure error={error} />}
      </Page>
    )
  return (
    <Page title={say('title')}>
      <OneReceipt
        task={task.data}
        receipt={receiptOf(task.data, payment.data, entries.data)}
        worker={{
          name: worker.data?.display_name ?? null,
          wallet: workerId === executor && typeof wallet === 'string' ? wallet : null,
        }}
      />
    </Page>
  )
}

function OneReceipt({ task, receipt, worker }: ComponentProps<typeof ReceiptSlip>): ReactNode {
  const say = useMessages(receiptMessages)
  const format = useFormat()
  const networkTitle = useNetworkTitle()
  if (receipt.payoutUsd === null && receipt.refundedUsd === null)
    return (
      <Empty title={say('none')}>
        <LinkButton to="/tasks/$taskId" params={{ taskId: task.id }}>
          {say('task')}
        </LinkButton>
      </Empty>
    )
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[27rem_1fr]">
      <ReceiptSlip task={task} receipt={receipt} worker={worker} />
      <div className="no-print grid gap-5">
        <h2>{say('how')}</h2>
        <Timeline
          steps={[
            { title: say('step.posted'), detail: format.dateTime(task.created_at), state: 'done' },
            {
              title: say(receipt.payoutUsd === null ? 'step.back' : 'step.paid'),
              ...(receipt.movedAt === null ? {} : { detail: format.dateTime(receipt.movedAt) }),
              state: 'done',
            },
          ]}
        />
        <Note icon="seal-check-fill">{say('check', { network: networkTitle(receipt.network) })}</Note>
        <div className="flex flex-wrap gap-3">
          <Button
            kind="primary"
            onClick={() => {
              print()
            }}
          >
            <Icon name="printer-bold" /> {say('print')}
          </Button>
          <LinkButton to="/tasks/$taskId" params={{ taskId: task.id }}>
            {say('task')}
          </LinkButton>
        </div>
      </div>
    </div>
  )
}
